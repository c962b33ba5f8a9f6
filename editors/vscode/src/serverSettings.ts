/** The settings acode.*, as package.json declares them. */
export interface Settings {
  'server.path': string;
  'server.logLevel': string;
  'unread.dim': boolean;
  'unread.gutter': boolean;
  'unread.overviewRuler': boolean;
  'changed.highlight': boolean;
  codeLens: boolean;
  hover: boolean;
  diagnostics: boolean;
  'edits.flash': boolean;
  'edits.confirmUnsaved': boolean;
  'notifications.refusedEdits': boolean;
  session: string;
  autoExpand: 'default' | 'on' | 'off';
  autoExpandLines: number | null;
  stalePolicy: 'default' | 'warn' | 'block';
}

export type Lookup = <K extends keyof Settings>(key: K) => Settings[K];

/** The settings the server knows; it refuses any other. What is left out is as in .agent/config.yml. */
export interface ServerSettings {
  diagnostics: boolean;
  codeLens: boolean;
  hover: boolean;
  session?: string;
  autoExpand?: boolean;
  autoExpandLines?: number;
  stalePolicy?: 'warn' | 'block';
}

export function serverSettings(of: Lookup): ServerSettings {
  const settings: ServerSettings = {
    diagnostics: of('diagnostics'),
    codeLens: of('codeLens'),
    hover: of('hover'),
  };
  const session = of('session');
  if (session !== '') {
    settings.session = session;
  }
  const autoExpand = of('autoExpand');
  if (autoExpand !== 'default') {
    settings.autoExpand = autoExpand === 'on';
  }
  const lines = of('autoExpandLines');
  if (lines !== null) {
    settings.autoExpandLines = lines;
  }
  const stalePolicy = of('stalePolicy');
  if (stalePolicy !== 'default') {
    settings.stalePolicy = stalePolicy;
  }
  return settings;
}
