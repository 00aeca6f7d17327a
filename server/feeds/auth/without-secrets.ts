import type { FullAuth } from './full-auth.ts'
import { secretsOf } from './full-auth.ts'

const hidden = '***'
/** Shorter ones are no secrets, but may be parts of any word. */
const shortest = 4
const telling = /token|key|secret|password|signature|^sig$|^code$|auth/i

/** Forms in which a text may come back: as it is, as part of an address, as JSON writes it, and as Basic credentials do. */
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
  const secrets = [...secretsOf(auth), ...more].filter((secret) => secret.length >= shortest).flatMap(formsOf)
  // Longer ones first: one may be part of another.
  return secrets
    .toSorted((a, b) => b.length - a.length)
    .reduce((redacted, secret) => redacted.replaceAll(secret, hidden), text)
}

/** An address that may be shown: parameters that tell a secret are hidden, by their name or their value. */
export function shownAddress(address: string, auth: FullAuth, more: readonly string[] = []): string {
  if (!URL.canParse(address)) return withoutSecrets(address, auth, more)
  const url = new URL(address)
  url.username = ''
  url.password = ''
  const named = auth.kind === 'query' ? auth.query.map(({ name }) => name) : []
  for (const name of new Set(url.searchParams.keys()))
    if (named.includes(name) || telling.test(name)) url.searchParams.set(name, hidden)
  return withoutSecrets(url.href, auth, more)
}

const tells = ({ name }: { name: string }): boolean => telling.test(name)

/**
 * A body without what servers echo of an ask: tokens wherever they stand; values of headers and of the query whose names tell of no secret
 * only behind their name, for such a value may be an id that the data are full of.
 */
export function bodyWithoutSecrets(body: Buffer, auth: FullAuth, more: readonly string[] = []): Buffer {
  const named = auth.kind === 'headers' ? auth.headers : auth.kind === 'query' ? auth.query : []
  const plain = [
    ...(auth.kind === 'bearer' || auth.kind === 'oauth' ? secretsOf(auth) : []),
    ...named.filter(tells).map(({ value }) => value),
    ...more,
  ]
  const wanted = [
    ...plain
      .filter((secret) => secret.length >= shortest)
      .flatMap(formsOf)
      .map((form) => [form, hidden] as const),
    ...(auth.kind === 'query'
      ? auth.query.flatMap(({ name, value }) =>
          formsOf(value).map((form) => [`${name}=${form}`, `${name}=${hidden}`] as const),
        )
      : []),
  ]
  const there = wanted.filter(([form]) => body.includes(form))
  if (!there.length) return body
  // Latin-1 keeps every byte as it is.
  const text = there.reduce(
    (rest, [form, instead]) => rest.replaceAll(Buffer.from(form).toString('latin1'), instead),
    body.toString('latin1'),
  )
  return Buffer.from(text, 'latin1')
}
