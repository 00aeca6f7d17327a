/** Returns a valid key of a file or, with a trailing slash, a folder; throws if it could leave the store. */
export function checkKey(key: string): string {
  const segments = key.replace(/\/$/, '').split('/')
  // oxlint-disable-next-line no-control-regex -- such names cannot be stored
  if (segments.some((segment) => ['', '.', '..'].includes(segment) || /[\\\u0000-\u001F]/.test(segment)))
    throw new Error(`Not a key of a file: ${JSON.stringify(key)}`)
  return key
}
