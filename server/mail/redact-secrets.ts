/**
 * The message of an error without the user and password of the URL, in any encoding in which it may contain
 * them.
 */
export function redactSecrets(error: unknown, url: string): string {
  const { username: encodedUser, password: encodedPassword } = new URL(url)
  const text = error instanceof Error ? error.message : String(error)
  const [name, password] = [decodeURIComponent(encodedUser), decodeURIComponent(encodedPassword)]
  // In the forms of HTTP and SMTP, together and separately.
  const base64Forms = [`${name}:${password}`, `\u0000${name}\u0000${password}`, name, password].map((plain) =>
    Buffer.from(plain).toString('base64'),
  )
  return [
    ...base64Forms,
    encodedUser,
    encodedPassword,
    name,
    password,
    encodeURIComponent(name),
    encodeURIComponent(password),
  ]
    .filter((form) => form.length > 3)
    .toSorted((a, b) => b.length - a.length)
    .reduce((redacted, form) => redacted.replaceAll(form, '…'), text)
    .slice(0, 300)
}
