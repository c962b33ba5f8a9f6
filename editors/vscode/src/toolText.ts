// What a model reads as the result of a tool.
import type { ArtifactPart, EditResult, StateResult } from './protocol';
import { coverageText, rangeText, stateText } from './text';

/** Of a refusal the exact messages first, then the missing lines. */
export function editText(result: EditResult, dryRun: boolean): string {
  if (!result.allowed) {
    const messages = new Set(result.blocks.map(({ message }) => message));
    return [...messages, ...result.expanded.map(({ content }) => content)].join('\n');
  }
  const lines: string[] = [];
  if (dryRun) {
    lines.push('The edit is allowed. Nothing was changed.');
  } else if (result.applied) {
    lines.push('Applied.');
  } else {
    lines.push(`Not applied: ${result.failureReason ?? 'the editor did not say why'}.`);
  }
  lines.push(...result.warnings.map(({ message }) => message));
  lines.push(...Object.values(result.sha256).map((sum) => `sha256: ${sum}`));
  return lines.join('\n');
}

export function artifactText(part: ArtifactPart): string {
  const notes: string[] = [];
  if (part.encoding !== undefined) {
    notes.push(`[This is ${part.encoding}.]`);
  }
  if (part.truncated === true) {
    notes.push(
      part.range
        ? `[There is more: go on at start_byte=${part.range.endByte} of ${part.totalBytes}.]`
        : `[There is more: these are ${part.values ?? 0} of ${part.found ?? 0} values. Make the query narrower.]`,
    );
  }
  return [part.content, ...notes].join('\n');
}

export function stateSummary({ files }: StateResult, name: (uri: string) => string): string {
  if (files.length === 0) {
    return 'No file was read.';
  }
  return files
    .map(({ uri, state, stale, coverage, totalLines, unreadRanges, changedRanges }) => {
      const parts = [
        `${name(uri)}: ${stateText(state, stale)}, ${coverageText(coverage)} of ${totalLines} lines`,
      ];
      if (unreadRanges.length > 0) {
        parts.push(`not read: ${unreadRanges.map(rangeText).join(', ')}`);
      }
      if (changedRanges.length > 0) {
        parts.push(`changed since: ${changedRanges.map(rangeText).join(', ')}`);
      }
      return parts.join('; ');
    })
    .join('\n');
}
