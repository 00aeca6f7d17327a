import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ApiCallKind, apiLimits, type ApiScope, rateClasses } from '#contract/api-scopes.ts'
import { minuteMs } from '#contract/period.ts'
import { Busy, Problem } from '#server/http/problem.ts'
import { getNetworkPrefix } from '#server/http/address-limit.ts'
import { type RateCounters, createRateHeaders } from '#server/http/rate-limits.ts'
import { toHeaders } from '#server/http/serve.ts'
import { type FoundKey, type KeyFinder, type KeyRefusal, readKeyFromHeaders } from './find-key.ts'
import type { KeyUsage } from './key-usage.ts'

/** A call of a program, before its body is read. */
export interface KeyCall {
  headers: Headers
  address: string
  /** The key must have one of these scopes; null if any key may make the call. */
  scopes: readonly ApiScope[] | null
  kind: ApiCallKind
  /** Region in the path of the call; null if there is none. */
  regionId: string | null
  setHeader: (name: string, value: string) => void
}

/** Maximum calls per address and minute, with any keys. High, because many programs may share an address. */
const maxAddressCalls = 12_000
/** Maximum refused keys per address and minute. Then all its calls are refused without checking keys. */
const maxRefusedKeys = 60

const refusals: Record<KeyRefusal, { code: 'unauthorized' | 'forbidden'; text: string }> = {
  missing: {
    code: 'unauthorized',
    text: 'This call needs an API key in the header x-api-key or Authorization: Bearer.',
  },
  unknown: { code: 'unauthorized', text: 'The API key is unknown.' },
  revoked: { code: 'unauthorized', text: 'The API key was revoked.' },
  expired: { code: 'unauthorized', text: 'The API key has expired.' },
  address: { code: 'forbidden', text: 'The API key may not be used from this address.' },
  owner: { code: 'forbidden', text: 'The owner of the API key has no access any more.' },
}

interface GateOptions {
  finder: KeyFinder
  /** Counters of keys, exact across all servers. */
  counters: RateCounters
  /** Counters of addresses, without a query for each call. */
  addresses: RateCounters
  usage: KeyUsage
  now: () => Date
}

/** Admits calls with API keys: finds the key, checks its rights, and counts the call against its limits. */
export class KeyGate {
  readonly #options: GateOptions
  constructor(options: GateOptions) {
    this.#options = options
  }

  /**
   * Admits a call and returns its key.
   * @throws Problem: unauthorized, forbidden, or too many requests (with Retry-After).
   */
  async admit(call: KeyCall): Promise<FoundKey> {
    await this.#limitAddress(call)
    const { key } = await this.#find(call)
    await this.#limitKey(call, key)
    return key
  }

  /** Returns the key of a call that was admitted before, with its current rights. Does not count the call. */
  async recheck(call: Pick<KeyCall, 'headers' | 'address' | 'scopes' | 'regionId'>): Promise<FoundKey> {
    return (await this.#find(call)).key
  }

  async #find({
    headers,
    address,
    scopes,
    regionId,
  }: Pick<KeyCall, 'headers' | 'address' | 'scopes' | 'regionId'>): Promise<{ key: FoundKey }> {
    const { finder, addresses, usage, now } = this.#options
    const result = await finder.find(readKeyFromHeaders(headers), address)
    if ('refusal' in result) {
      if (result.keyId !== null) usage.count(result.keyId, true, now())
      const limit = { calls: maxRefusedKeys, windowMs: minuteMs }
      // A call without a key is no attempt to guess one.
      if (result.refusal !== 'missing')
        await addresses.take(`refused:${getNetworkPrefix(address)}`, limit, now().getTime())
      const { code, text } = refusals[result.refusal]
      throw new Problem(code, text)
    }
    const { key } = result
    const refuse = (text: string): never => {
      usage.count(key.keyId, true, now())
      throw new Problem('forbidden', text)
    }
    if (scopes && !scopes.some((scope) => key.scopes.includes(scope)))
      refuse(`The API key has no scope ${scopes.join(' or ')}, or its owner may not do this any more.`)
    if (regionId !== null && !key.regionIds.includes(regionId)) refuse('The API key is not for this region.')
    return { key }
  }

  async #limitAddress({ address, setHeader }: KeyCall): Promise<void> {
    const { addresses, now } = this.#options
    const at = now().getTime()
    const network = getNetworkPrefix(address)
    const callLimit = { calls: maxAddressCalls, windowMs: minuteMs }
    const refusalLimit = { calls: maxRefusedKeys, windowMs: minuteMs }
    const calls = await addresses.take(`address:${network}`, callLimit, at)
    const refusedKeys = await addresses.peek(`refused:${network}`, refusalLimit, at)
    const exceededLimit = [calls, refusedKeys].find(({ isAllowed }) => !isAllowed)
    if (!exceededLimit) return
    const seconds = Math.max(1, Math.ceil(exceededLimit.resetMs / 1000))
    setHeader('retry-after', String(seconds))
    throw new Busy('too_many_requests', 'Too many calls from this address.', seconds)
  }

  async #limitKey({ kind, setHeader }: KeyCall, { keyId, rateClass }: FoundKey): Promise<void> {
    const { counters, usage, now } = this.#options
    const limit = { calls: apiLimits[kind] * rateClasses[rateClass], windowMs: minuteMs }
    const at = now()
    const state = await counters.take(`key:${kind}:${keyId}`, limit, at.getTime())
    for (const [name, value] of Object.entries(createRateHeaders(limit, state))) setHeader(name, value)
    usage.count(keyId, !state.isAllowed, at)
    if (state.isAllowed) return
    throw new Busy(
      'too_many_requests',
      `The API key has used its ${limit.calls} ${kind} calls per minute.`,
      Math.max(1, Math.ceil(state.resetMs / 1000)),
    )
  }
}

/** Admits a request to an API that is not declared in the contract, such as MDS Agency. @throws Problem. */
export const admitRequest = (
  gate: KeyGate,
  request: FastifyRequest,
  reply: FastifyReply,
  requested: { scopes: readonly ApiScope[] | null; kind: ApiCallKind; regionId: string | null },
): Promise<FoundKey> =>
  gate.admit({
    ...requested,
    headers: toHeaders(request),
    address: request.ip,
    setHeader: (name, value) => void reply.header(name, value),
  })
