/** A name that every file system accepts: separators, wildcards and spaces become dashes. */
const safe = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(/[\s/\\:*?"<>|]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
    .slice(0, 80)

/** The parts of a file's name, joined as in all downloads; empty ones are left out. */
export const fileName = (parts: readonly string[], extension?: string): string =>
  [parts.map(safe).filter(Boolean).join('_'), ...(extension ? [extension] : [])].join('.')
