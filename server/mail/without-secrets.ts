/** The text of an error without user and password of the address that was asked, in any form that they may take there. */
export function withoutSecrets(error: unknown, url: string): string {
  const { username, password } = new URL(url)
  const text = error instanceof Error ? error.message : String(error)
  const forms = [username, password].filter(Boolean).flatMap((secret) => [secret, decodeURIComponent(secret), encodeURIComponent(decodeURIComponent(secret))])
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return [...forms, Buffer.from(pair).toString('base64'), Buffer.from(decodeURIComponent(password)).toString('base64')]
    .filter((form) => form.length > 3)
    .toSorted((a, b) => b.length - a.length)
    .reduce((rest, form) => rest.replaceAll(form, '…'), text)
    .slice(0, 300)
}
