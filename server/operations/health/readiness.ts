import { setTimeout as wait } from 'node:timers/promises'
import { type Readiness as ReadinessAnswer, serverComponents } from '#contract/operations.ts'
import { serverReady } from '#server/metrics/server-metrics.ts'

type Component = (typeof serverComponents)[number]

/** Checks one component: resolves if it works, with a text about it; rejects with what is wrong. */
export type ComponentCheck = () => Promise<string>

/** A component that does not answer within this time does not work. */
const checkMs = 3000
/** Results are reused for this time, so that frequent checks do not query the stores. */
const cacheMs = 1000

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const tooLate = async (ms: number): Promise<never> => {
  await wait(ms, undefined, { ref: false })
  throw new Error(`no answer within ${ms / 1000} s`)
}

/** Whether the server can answer calls. */
export class Readiness {
  readonly #checks: Readonly<Record<Component, ComponentCheck>>
  readonly #now: () => number
  readonly #checkMs: number
  #last: { at: number; result: Promise<ReadinessAnswer['components']> } | null = null
  #isDraining = false

  constructor(
    checks: Readonly<Record<Component, ComponentCheck>>,
    now: () => number,
    timeoutMs: number = checkMs,
  ) {
    this.#checks = checks
    this.#now = now
    this.#checkMs = timeoutMs
  }

  /** From now on the server is not ready, because it stops. */
  drain(): void {
    this.#isDraining = true
    serverReady.set({}, 0)
  }

  get isDraining(): boolean {
    return this.#isDraining
  }

  async read(): Promise<ReadinessAnswer> {
    const at = this.#now()
    if (!this.#last || at - this.#last.at >= cacheMs) this.#last = { at, result: this.#checkAll() }
    const components = await this.#last.result
    const isReady = !this.#isDraining && components.every(({ ok }) => ok)
    serverReady.set({}, Number(isReady))
    return { status: this.#isDraining ? 'draining' : isReady ? 'ready' : 'not_ready', components }
  }

  #checkAll(): Promise<ReadinessAnswer['components']> {
    return Promise.all(
      serverComponents.map(async (component) => {
        try {
          const detail = await Promise.race([this.#checks[component](), tooLate(this.#checkMs)])
          return { component, ok: true, detail }
        } catch (error) {
          return { component, ok: false, detail: messageOf(error).slice(0, 300) }
        }
      }),
    )
  }
}
