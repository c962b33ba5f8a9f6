// The wire form of the acode/* messages. It mirrors lsp/wire.go, and
// lsp/protocol_ts_test.go compares the two field by field: one interface opens
// on one line, each field is one line, and types are number, string, boolean,
// unknown, another interface, a list or a record of these, or null beside it.
//
// Lines are 1-based and ranges include both ends. Bytes are 0-based and
// half-open.
import { NotificationType, RequestType } from 'vscode-jsonrpc';

/** The protocol this extension speaks, which the server names in its capabilities. */
export const PROTOCOL = 1;

export interface DocumentId {
  uri: string;
}

export interface LineRange {
  startLine: number;
  endLine: number;
}

export interface Signature {
  kind: string;
  name: string;
  startLine: number;
  endLine: number;
  read?: SignatureRead;
}

export interface SignatureRead {
  textDocument: DocumentId;
  startLine: number;
  endLine: number;
}

export interface ReadParams {
  session?: string;
  textDocument: DocumentId;
  startLine?: number;
  endLine?: number;
  startByte?: number;
  endByte?: number;
  maxBytes?: number;
}

export interface ReadResult {
  content: string;
  shownRanges: LineRange[];
  totalLines: number;
  sha256: string;
  omissions: Omission[];
  artifactId?: string;
  artifactReference?: string;
  metadata: Metadata;
}

export interface Omission {
  startLine: number;
  endLine: number;
  lines: number;
  characters: number;
  signatures?: Signature[];
}

export interface Metadata {
  version: number;
  toolName: string;
  wasTruncated: boolean;
  strategyUsed?: string;
  strategy?: string;
  truncationStrategy?: string;
  fallbackFrom?: string;
  originalSize?: number;
  truncatedSize: number;
  omittedCharacters: number;
  originalBytes?: number;
  truncatedBytes: number;
  originalTokens?: number;
  truncatedTokens?: number;
  omittedLines: number;
  omittedElements?: number;
  omittedFailureLines?: number;
  omissionSummary: string;
  omissions: Omission[];
  artifactCreated: boolean;
  artifactId?: string;
  retrievalInstructions?: string;
  redactionCount: number;
  redactions: Redaction[];
  contentType: string;
  validJson?: boolean;
  durationMs: number;
}

export interface Redaction {
  type: string;
  count: number;
}

export interface EditParams {
  session?: string;
  textDocument: DocumentId;
  edits?: PieceEdit[];
  content?: string;
  expectedSha256?: string;
  dryRun?: boolean;
  expect?: boolean;
  noExpand?: boolean;
  label?: string;
}

export interface PieceEdit {
  oldText?: string;
  newText?: string;
  replaceAll?: boolean;
  startLine?: number;
  endLine?: number;
}

export interface EditResult {
  allowed: boolean;
  blocks: Block[];
  warnings: Warning[];
  expanded: Excerpt[];
  applied: boolean;
  failureReason?: string;
  sha256: Record<string, string>;
}

export interface Block {
  uri: string;
  reason: string;
  unreadRanges: LineRange[];
  message: string;
}

export interface Warning {
  uri: string;
  code: string;
  message: string;
  changedRanges: LineRange[];
}

export interface Excerpt {
  uri: string;
  startLine: number;
  endLine: number;
  content: string;
}

export interface StateParams {
  session?: string;
  textDocument?: DocumentId;
}

export interface StateResult {
  session: string;
  files: FileState[];
  summary: string;
}

export interface FileState {
  uri: string;
  state: string;
  stale: boolean;
  readRanges: LineRange[];
  unreadRanges: LineRange[];
  changedRanges: LineRange[];
  totalLines: number;
  coverage: number;
  rounds: number;
}

export interface ArtifactParams {
  session?: string;
  id: string;
  startLine?: number;
  endLine?: number;
  startByte?: number;
  endByte?: number;
  query?: string;
}

export interface ArtifactPart {
  content: string;
  encoding?: string;
  range: ArtifactRange | null;
  totalLines: number;
  totalBytes: number;
  truncated?: boolean;
  values?: number;
  found?: number;
}

export interface ArtifactRange {
  startLine: number;
  endLine: number;
  startByte: number;
  endByte: number;
}

export interface ArtifactsParams {
  session?: string;
  cursor?: string;
  limit?: number;
}

export interface ArtifactsResult {
  artifacts: ArtifactInfo[];
  nextCursor?: string;
}

export interface ArtifactInfo {
  id: string;
  size: number;
  type: string;
  source: string;
  summary: string;
  created: string;
  uri: string;
}

export interface ArtifactsChanged {
  session: string;
}

export interface SessionsResult {
  sessions: SessionInfo[];
}

export interface SessionInfo {
  id: string;
  agent: string;
  active: boolean;
  files: number;
  lastUsed: string;
  selected?: boolean;
  ended?: boolean;
}

export interface SessionEventParams {
  session?: string;
  event: string;
  agent?: string;
}

export interface SessionResult {
  session: string;
  summary: string;
}

export interface StateChanged {
  session: string;
  uris: string[];
}

/** What the agent has read of a document. */
export interface View {
  session: string;
  agent: string;
  version: number | null;
  state: string;
  stale: boolean;
  coverage: number;
  totalLines: number;
  rounds: number;
  readRanges: LineRange[];
  changedRanges: LineRange[];
  redactedRanges: LineRange[];
  unread: UnreadRange[];
}

export interface UnreadRange {
  startLine: number;
  endLine: number;
  declares: string;
}

export interface EditRefused {
  session: string;
  agent: string;
  blocks: Block[];
}

export const ReadRequest = new RequestType<ReadParams, ReadResult, void>('acode/read');
export const EditRequest = new RequestType<EditParams, EditResult, void>('acode/edit');
export const StateRequest = new RequestType<StateParams, StateResult, void>('acode/state');
export const ViewRequest = new RequestType<StateParams, View | null, void>('acode/view');
export const ArtifactRequest = new RequestType<ArtifactParams, ArtifactPart, void>('acode/artifact');
export const ArtifactsRequest = new RequestType<ArtifactsParams, ArtifactsResult, void>('acode/artifacts');
export const SessionsRequest = new RequestType<object, SessionsResult, void>('acode/sessions');
export const SessionRequest = new RequestType<SessionEventParams, SessionResult, void>('acode/session');

export const StateChangedNotification = new NotificationType<StateChanged>('acode/stateChanged');
export const ArtifactsChangedNotification = new NotificationType<ArtifactsChanged>('acode/artifactsChanged');
export const EditRefusedNotification = new NotificationType<EditRefused>('acode/editRefused');

/** Commands of the server, with the type of their only argument. */
export interface ServerCommands {
  'acode.markRead': { session?: string; uri: string; ranges: LineRange[] };
  'acode.forget': { session?: string; uri: string };
  'acode.selectSession': { session: string };
  'acode.removeArtifact': { id: string };
  'acode.exportArtifact': { id: string; uri: string; overwrite?: boolean };
}
