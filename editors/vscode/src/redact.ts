const secrets = [
  /\b(?:sk|pk|rk|ghp|gho|ghs|ghu|github_pat|glpat|xox[abprs])[-_][A-Za-z0-9_-]{10,}/g,
  /\bAKIA[0-9A-Z]{16}\b/g,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
  /(?<=\b(?:token|secret|password|passwd|api[-_]?key|authorization)["']?\s*[:=]\s*["']?(?:Bearer\s+)?)(?!Bearer\s)[^\s"',;]{4,}/gi,
  /(?<=:\/\/[^\s/:@]+:)[^\s/@]+(?=@)/g,
];

/** Text that can be shown to others: without secrets, and with ~ for the home folder. */
export function redact(text: string, home: string): string {
  let out = text;
  for (const secret of secrets) {
    out = out.replace(secret, '***');
  }
  for (const spelling of spellings(home)) {
    out = out.replaceAll(spelling, '~');
  }
  return out;
}

/** The home folder as a path, with slashes, escaped in JSON, and in a URI. */
function spellings(home: string): string[] {
  const trimmed = home.replace(/[/\\]+$/, '');
  if (trimmed === '') {
    return [];
  }
  const slashes = trimmed.replaceAll('\\', '/');
  const uri = encodeURI(slashes);
  return [...new Set([trimmed.replaceAll('\\', '\\\\'), trimmed, slashes, uri, uri.replace(':', '%3A')])];
}
