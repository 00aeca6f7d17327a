/** Replaces separators, wildcards and spaces with dashes, so that every file system accepts the name. */
const safe = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(/[\s/\\:*?"<>|]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
    .slice(0, 80)

/** Joins the parts of a file name as in all downloads; empty parts are omitted. */
export const fileName = (parts: readonly string[], extension?: string): string =>
  [parts.map(safe).filter(Boolean).join('_'), ...(extension ? [extension] : [])].join('.')
