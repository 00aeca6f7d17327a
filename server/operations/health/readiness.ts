import { setTimeout as wait } from 'node:timers/promises'
import { type Readiness as ReadinessResponse, serverComponents } from '#contract/operations.ts'
import { getErrorMessage } from '#contract/problem-text.ts'
import { serverReady } from '#server/metrics/server-metrics.ts'

type Component = (typeof serverComponents)[number]

/** Checks one component. Resolves with a description if it works; rejects with the problem. */
export type ComponentCheck = () => Promise<string>

/** Maximum time of a check; a component that takes longer does not work. */
const checkTimeoutMs = 3000
/** Results are reused for this time, so that frequent checks do not query the stores each time. */
const cacheMs = 1000

const rejectAfter = async (ms: number): Promise<never> => {
  await wait(ms, undefined, { ref: false })
  throw new Error(`no answer within ${ms / 1000} s`)
}

/** Whether the server can handle calls. */
export class Readiness {
  readonly #checks: Readonly<Record<Component, ComponentCheck>>
  readonly #nowMs: () => number
  readonly #checkTimeoutMs: number
  #last: { startedMs: number; result: Promise<ReadinessResponse['components']> } | null = null
  #isDraining = false

  constructor(
    checks: Readonly<Record<Component, ComponentCheck>>,
    nowMs: () => number,
    timeoutMs: number = checkTimeoutMs,
  ) {
    this.#checks = checks
    this.#nowMs = nowMs
    this.#checkTimeoutMs = timeoutMs
  }

  /** Marks the server as not ready, because it is about to stop. */
  drain(): void {
    this.#isDraining = true
    serverReady.set({}, 0)
  }

  get isDraining(): boolean {
    return this.#isDraining
  }

  async read(): Promise<ReadinessResponse> {
    const startedMs = this.#nowMs()
    if (!this.#last || startedMs - this.#last.startedMs >= cacheMs)
      this.#last = { startedMs, result: this.#checkAll() }
    const components = await this.#last.result
    const isReady = !this.#isDraining && components.every(({ ok }) => ok)
    serverReady.set({}, Number(isReady))
    if (this.#isDraining) return { status: 'draining', components }
    return { status: isReady ? 'ready' : 'not_ready', components }
  }

  #checkAll(): Promise<ReadinessResponse['components']> {
    return Promise.all(
      serverComponents.map(async (component) => {
        try {
          const detail = await Promise.race([this.#checks[component](), rejectAfter(this.#checkTimeoutMs)])
          return { component, ok: true, detail }
        } catch (error) {
          return { component, ok: false, detail: getErrorMessage(error).slice(0, 300) }
        }
      }),
    )
  }
}
