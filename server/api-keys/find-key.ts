import { BlockList, isIP } from 'node:net'
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Selectable } from 'kysely'
import { type ApiScope, apiScopes, type RateClass, rateClassNames } from '#contract/api-scopes.ts'
import { loadViewer } from '#server/identity/find-viewer.ts'
import { systemScope, viewerScope } from '#server/identity/scope.ts'
import type { Viewer } from '#server/http/viewer.ts'
import type { Scope } from '#server/stores/scope.ts'
import { InvalidatingCache } from '#server/stores/invalidating-cache.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import type { State } from '#server/stores/state.ts'

/** A key is `pwk_{environment}_{id}_{secret}`. The prefix makes it detectable by secret scanners. */
const keyPattern = /^(pwk_[a-z]+_([0-9a-z]{12}))_([\w-]{43})$/
/** Any format of keys and tokens, including older tokens, which have other prefixes. */
const anyKeyPattern = /^[\w.~+/=-]{20,200}$/
const idAlphabet = '0123456789abcdefghijklmnopqrstuvwxyz'
const idLength = 12
const hintLength = 4

/** Part of a key that distinguishes production servers (`live`) from development servers. */
export type KeyEnvironment = 'live' | 'dev'

/** Returns the hash of a key's secret. Only hashes are stored. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/** Generates a key with 256 bits of randomness. Only the hash of its secret is stored. */
export function createKeyText(environment: KeyEnvironment): {
  text: string
  keyId: string
  /** The public part of the text. */
  prefix: string
  secretHash: string
  hint: string
} {
  const keyId = [...randomBytes(idLength)].map((byte) => idAlphabet[byte % idAlphabet.length]).join('')
  const secret = randomBytes(32).toString('base64url')
  const prefix = `pwk_${environment}_${keyId}`
  return {
    text: `${prefix}_${secret}`,
    keyId,
    prefix,
    secretHash: hashSecret(secret),
    hint: secret.slice(-hintLength),
  }
}

/** Parses a key to its id and its secret's hash; null if invalid. Older tokens have no id but the hash. */
export function parseKey(text: string): { keyId: string; secretHash: string } | null {
  const [, , keyId, secret] = keyPattern.exec(text) ?? []
  if (keyId && secret) return { keyId, secretHash: hashSecret(secret) }
  if (!anyKeyPattern.test(text) || text.startsWith('pwk_')) return null
  const hash = hashSecret(text)
  return { keyId: hash, secretHash: hash }
}

/** Reads the key in the headers: `x-api-key`, or else `Authorization: Bearer`; null if there is none. */
export function readKeyFromHeaders(headers: Headers): string | null {
  const apiKey = headers.get('x-api-key')
  if (apiKey !== null) return apiKey.trim()
  return /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? null
}

/** Compares hashes in constant time. */
export const isSameHash = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

/** A key with a verified secret, and its current permissions. */
export interface FoundKey {
  keyId: string
  name: string
  organizationId: string
  /** Scopes of the key that its owner has permission for. */
  scopes: readonly ApiScope[]
  /** Regions of the key, limited to those of its owner. */
  regionIds: readonly string[]
  feedId: string | null
  rateClass: RateClass
  scope: Scope
  /** The owner within the limits of the key; null for a key of the organization. */
  viewer: Viewer | null
}

/** Reason why a key is refused. */
export type KeyRefusal = 'missing' | 'unknown' | 'revoked' | 'expired' | 'address' | 'owner'
export type KeyResult = { key: FoundKey } | { refusal: KeyRefusal; keyId: string | null }

type ApiKeyRow = Selectable<StateTables['api_key']>
interface LoadedKey {
  row: ApiKeyRow
  /** Null if the key belongs to the organization, or its owner was disabled or deleted. */
  owner: Viewer | null
}

/** Tables from which a key and its owner's rights are read. A change takes effect at the next call. */
const keyTables = ['api_key', 'user', 'organization', 'user_role', 'role', 'user_region', 'region', 'account']
/** Maximum time after which changes by another server take effect. */
const cacheMs = 5000

/** Returns whether an address is in one of the networks. An empty list allows all addresses. */
export function isAddressAllowed(cidrs: readonly string[], address: string): boolean {
  if (!cidrs.length) return true
  // A socket that listens on IPv6 and IPv4 reports IPv4 addresses as ::ffff:a.b.c.d.
  const ipAddress = address.replace(/^::ffff:(?=\d+\.)/i, '')
  const family = isIP(ipAddress)
  if (!family) return false
  const allowedNetworks = new BlockList()
  for (const cidr of cidrs) {
    const [network = '', bits] = cidr.split('/')
    const type = isIP(network) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) allowedNetworks.addAddress(network, type)
    else allowedNetworks.addSubnet(network, Number(bits), type)
  }
  return allowedNetworks.check(ipAddress, family === 6 ? 'ipv6' : 'ipv4')
}

/** Limits the rights of a key to those of its owner; null if the owner no longer has access. */
function limitToOwner({ row, owner }: LoadedKey): FoundKey | null {
  const rateClass = rateClassNames.find((rateClassName) => rateClassName === row.rate_class) ?? 'standard'
  const keyTerms = {
    keyId: row.key_id,
    name: row.name,
    organizationId: row.organization_id,
    feedId: row.feed_id,
    rateClass,
  }
  if (!row.has_owner) {
    const regionIds = row.region_ids ?? []
    const operators = row.operator === null ? null : [row.operator]
    const scope = viewerScope(row.organization_id, regionIds, row.key_id, operators)
    return { ...keyTerms, scopes: row.scopes, regionIds, scope, viewer: null }
  }
  if (!owner || owner.mfaEnrollmentRequired || owner.organizationId !== row.organization_id) return null
  const ownerRegions = owner.scope.regionIds ?? []
  const regionIds = row.region_ids ? ownerRegions.filter((id) => row.region_ids?.includes(id)) : ownerRegions
  const ownerOperators = owner.scope.operators
  const operators =
    row.operator === null
      ? ownerOperators
      : (ownerOperators ?? [row.operator]).filter((operator) => operator === row.operator)
  const scope = viewerScope(row.organization_id, regionIds, owner.userId, operators)
  return {
    ...keyTerms,
    scopes: row.scopes.filter((scope) => {
      const { needs } = apiScopes[scope] ?? {}
      return needs === null || (needs !== undefined && owner.permissions.includes(needs))
    }),
    regionIds,
    scope,
    viewer: {
      ...owner,
      scope,
      allRegions: owner.allRegions && row.region_ids === null,
      sessionId: '',
      apiKey: { keyId: row.key_id, name: row.name, operator: row.operator },
    },
  }
}

/** Finds keys by their text. Rows and owners are cached until one of them changes. */
export class KeyFinder {
  readonly #state: State
  readonly #now: () => Date
  readonly #cache: InvalidatingCache<LoadedKey | null>
  constructor(state: State, now: () => Date) {
    this.#state = state
    this.#now = now
    this.#cache = new InvalidatingCache({
      changes: state.changes,
      tables: keyTables,
      ttlMs: cacheMs,
      maxEntries: 2000,
      nowMs: () => now().getTime(),
    })
  }

  /** Finds the key of a call from an address, with its current rights. */
  async find(text: string | null, address: string): Promise<KeyResult> {
    if (!text) return { refusal: 'missing', keyId: null }
    const parsedKey = parseKey(text)
    if (!parsedKey) return { refusal: 'unknown', keyId: null }
    // The text is hashed, so that the secret does not remain in memory.
    const loadedKey = await this.#cache.get(hashSecret(text), () => this.#load(parsedKey.keyId))
    if (!loadedKey || !isSameHash(loadedKey.row.secret_hash, parsedKey.secretHash))
      return { refusal: 'unknown', keyId: null }
    const { row } = loadedKey
    const refuse = (refusal: KeyRefusal): KeyResult => ({ refusal, keyId: row.key_id })
    if (row.revoked_time) return refuse('revoked')
    if (row.expires_time && row.expires_time <= this.#now()) return refuse('expired')
    if (!isAddressAllowed(row.cidrs, address)) return refuse('address')
    const key = limitToOwner(loadedKey)
    return key ? { key } : refuse('owner')
  }

  async #load(keyId: string): Promise<LoadedKey | null> {
    const row = await this.#state
      .as(systemScope)
      .selectFrom('api_key')
      .selectAll()
      .where('key_id', '=', keyId)
      .executeTakeFirst()
    if (!row) return null
    const owner = row.has_owner && row.owner_id ? await loadViewer(this.#state, row.owner_id, '') : null
    return { row, owner }
  }
}
