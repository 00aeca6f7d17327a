/** Maximum length of a part of a file name. */
const maxPartLength = 80

/** Replaces separators, wildcards and spaces with dashes, so that every file system accepts the name. */
const toSafePart = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(/[\s/\\:*?"<>|]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
    .slice(0, maxPartLength)

/** Joins the parts of a file name as in all downloads; empty parts are omitted. */
export const fileName = (parts: readonly string[], extension?: string): string =>
  [parts.map(toSafePart).filter(Boolean).join('_'), ...(extension ? [extension] : [])].join('.')
