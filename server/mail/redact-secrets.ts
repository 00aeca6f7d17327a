/** The text of an error without user and password of the address that was asked, in any form that they may take there. */
export function redactSecrets(error: unknown, url: string): string {
  const { username, password } = new URL(url)
  const text = error instanceof Error ? error.message : String(error)
  const [name, word] = [decodeURIComponent(username), decodeURIComponent(password)]
  // As HTTP and as SMTP send them, together and each alone.
  const sent = [`${name}:${word}`, `\u0000${name}\u0000${word}`, name, word].map((plain) =>
    Buffer.from(plain).toString('base64'),
  )
  return [...sent, username, password, name, word, encodeURIComponent(name), encodeURIComponent(word)]
    .filter((form) => form.length > 3)
    .toSorted((a, b) => b.length - a.length)
    .reduce((redacted, form) => redacted.replaceAll(form, '…'), text)
    .slice(0, 300)
}
