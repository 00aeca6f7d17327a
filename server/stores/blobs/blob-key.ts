/** Throws unless a text is a key, or with a slash at its end a folder: neither leaves the store. */
export function checkKey(key: string): string {
  const parts = key.replace(/\/$/, '').split('/')
  // oxlint-disable-next-line no-control-regex -- such names cannot be stored
  if (parts.some((part) => part === '' || part === '.' || part === '..' || /[\\\u0000-\u001F]/.test(part)))
    throw new Error(`Not a key of a file: ${JSON.stringify(key)}`)
  return key
}
