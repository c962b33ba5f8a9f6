interface LineEdit {
  range: { start: { line: number }; end: { line: number } };
  newText: string;
}

/** The lines (0-based, both ends included) that hold the new texts once all edits are made. */
export function changedLines(edits: readonly LineEdit[]): { start: number; end: number }[] {
  const ordered = [...edits].sort((a, b) => a.range.start.line - b.range.start.line);
  let shift = 0;
  return ordered.map(({ range, newText }) => {
    const start = range.start.line + shift;
    const added = newText.split('\n').length - 1;
    shift += added - (range.end.line - range.start.line);
    // Text that ends a line does not reach into the next one.
    return { start, end: start + (newText.endsWith('\n') ? added - 1 : added) };
  });
}

/** The range after the line, or before it, going round at the ends. */
export function neighbour<R extends { startLine: number; endLine: number }>(
  ranges: readonly R[],
  line: number,
  direction: 'next' | 'previous',
): R | undefined {
  return direction === 'next'
    ? (ranges.find((range) => range.startLine > line) ?? ranges[0])
    : (ranges.findLast((range) => range.endLine < line) ?? ranges.at(-1));
}
