import type { FullAuth } from './full-auth.ts'
import { listSecrets } from './full-auth.ts'

const placeholder = '***'
/** Shorter values are not replaced, because they may occur in any text. */
const minSecretLength = 4
const secretNamePattern = /token|key|secret|password|signature|^sig$|^code$|auth/i

/**
 * Returns the forms in which a server may echo a secret: unchanged, URL-encoded, escaped for JSON, and as
 * Basic credentials.
 */
const encodeSecret = (secret: string): string[] => [
  ...new Set([
    secret,
    encodeURIComponent(secret),
    new URLSearchParams([['', secret]]).toString().slice(1),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString('base64'),
  ]),
]

/** Replaces all secrets in a text. `otherSecrets`: for example access tokens. */
export function hideSecrets(text: string, auth: FullAuth, otherSecrets: readonly string[] = []): string {
  const secrets = [...listSecrets(auth), ...otherSecrets]
    .filter((secret) => secret.length >= minSecretLength)
    .flatMap(encodeSecret)
  // Longer secrets first, because one may be part of another.
  return secrets
    .toSorted((a, b) => b.length - a.length)
    .reduce((redacted, secret) => redacted.replaceAll(secret, placeholder), text)
}

/** Replaces secrets in a URL, including the values of parameters with a name that indicates a secret. */
export function hideSecretsInUrl(text: string, auth: FullAuth, otherSecrets: readonly string[] = []): string {
  if (!URL.canParse(text)) return hideSecrets(text, auth, otherSecrets)
  const url = new URL(text)
  url.username = ''
  url.password = ''
  const authParameters = auth.kind === 'query' ? auth.query.map(({ name }) => name) : []
  for (const name of new Set(url.searchParams.keys()))
    if (authParameters.includes(name) || secretNamePattern.test(name)) url.searchParams.set(name, placeholder)
  return hideSecrets(url.href, auth, otherSecrets)
}

const hasSecretName = ({ name }: { name: string }): boolean => secretNamePattern.test(name)

/**
 * Replaces echoed secrets in a body. Tokens are replaced everywhere. Values of headers and query parameters
 * are replaced everywhere only if their name indicates a secret, because others may be ids that are common in
 * the data.
 */
export function hideSecretsInBody(
  body: Buffer,
  auth: FullAuth,
  otherSecrets: readonly string[] = [],
): Buffer {
  const namedValues = auth.kind === 'headers' ? auth.headers : auth.kind === 'query' ? auth.query : []
  const secrets = [
    ...(auth.kind === 'bearer' || auth.kind === 'oauth' ? listSecrets(auth) : []),
    ...namedValues.filter(hasSecretName).map(({ value }) => value),
    ...otherSecrets,
  ]
  /** Pairs of a text and its replacement. */
  const replacements = [
    ...secrets
      .filter((secret) => secret.length >= minSecretLength)
      .flatMap(encodeSecret)
      .map((form) => [form, placeholder] as const),
    ...(auth.kind === 'query'
      ? auth.query.flatMap(({ name, value }) =>
          encodeSecret(value).map((form) => [`${name}=${form}`, `${name}=${placeholder}`] as const),
        )
      : []),
  ]
  const neededReplacements = replacements.filter(([form]) => body.includes(form))
  if (!neededReplacements.length) return body
  // Latin-1 preserves every byte of a body that is not UTF-8.
  const hiddenText = neededReplacements.reduce(
    (text, [form, replacement]) => text.replaceAll(Buffer.from(form).toString('latin1'), replacement),
    body.toString('latin1'),
  )
  return Buffer.from(hiddenText, 'latin1')
}
