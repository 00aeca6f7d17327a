import type { FullAuth } from './full-auth.ts'
import { secretsOf } from './full-auth.ts'

const hidden = '***'
/** Shorter values are not secrets, but may be parts of any word. */
const minLength = 4
const secretName = /token|key|secret|password|signature|^sig$|^code$|auth/i

/** Forms in which a secret may be echoed: as it is, URL-encoded, as in JSON, and as Basic credentials. */
const formsOf = (secret: string): string[] => [
  ...new Set([
    secret,
    encodeURIComponent(secret),
    new URLSearchParams([['', secret]]).toString().slice(1),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString('base64'),
  ]),
]

/** A text without any of the secrets. */
export function withoutSecrets(text: string, auth: FullAuth, more: readonly string[] = []): string {
  const secrets = [...secretsOf(auth), ...more]
    .filter((secret) => secret.length >= minLength)
    .flatMap(formsOf)
  // Longer ones first: one may be part of another.
  return secrets
    .toSorted((a, b) => b.length - a.length)
    .reduce((redacted, secret) => redacted.replaceAll(secret, hidden), text)
}

/** An address that may be shown: parameters are hidden if their name or value indicates a secret. */
export function shownAddress(address: string, auth: FullAuth, more: readonly string[] = []): string {
  if (!URL.canParse(address)) return withoutSecrets(address, auth, more)
  const url = new URL(address)
  url.username = ''
  url.password = ''
  const named = auth.kind === 'query' ? auth.query.map(({ name }) => name) : []
  for (const name of new Set(url.searchParams.keys()))
    if (named.includes(name) || secretName.test(name)) url.searchParams.set(name, hidden)
  return withoutSecrets(url.href, auth, more)
}

const namesSecret = ({ name }: { name: string }): boolean => secretName.test(name)

/**
 * A body without echoed secrets: tokens anywhere; values of headers and query parameters only behind their name unless the name indicates
 * a secret, because such a value may be an id that is common in the data.
 */
export function bodyWithoutSecrets(body: Buffer, auth: FullAuth, more: readonly string[] = []): Buffer {
  const named = auth.kind === 'headers' ? auth.headers : auth.kind === 'query' ? auth.query : []
  const plain = [
    ...(auth.kind === 'bearer' || auth.kind === 'oauth' ? secretsOf(auth) : []),
    ...named.filter(namesSecret).map(({ value }) => value),
    ...more,
  ]
  const secrets = [
    ...plain
      .filter((secret) => secret.length >= minLength)
      .flatMap(formsOf)
      .map((form) => [form, hidden] as const),
    ...(auth.kind === 'query'
      ? auth.query.flatMap(({ name, value }) =>
          formsOf(value).map((form) => [`${name}=${form}`, `${name}=${hidden}`] as const),
        )
      : []),
  ]
  const there = secrets.filter(([form]) => body.includes(form))
  if (!there.length) return body
  // Latin-1 preserves every byte.
  const text = there.reduce(
    (text, [form, instead]) => text.replaceAll(Buffer.from(form).toString('latin1'), instead),
    body.toString('latin1'),
  )
  return Buffer.from(text, 'latin1')
}
