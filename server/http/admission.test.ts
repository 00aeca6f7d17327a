import { describe, expect, it } from 'vitest'
import { type CallWork, Lanes, runInLane } from '#server/stores/lanes.ts'
import { Admission } from './admission.ts'
import { Busy } from './problem.ts'

const turn = (userId: string, regionId = 'here') => ({
  userId,
  regionId,
  signal: new AbortController().signal,
})
/** Whether a promise is settled after pending microtasks have run. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false
  promise.then(
    () => (settled = true),
    () => (settled = true),
  )
  for (let at = 0; at < 20; at++) await Promise.resolve()
  return settled
}

describe('a heavy call', () => {
  it('takes one turn for all of its queries, and none if it runs no query', async () => {
    const admission = new Admission()
    const call = admission.open('heavy', turn('a'))
    expect(admission.state.heavy.running).toBe(0)
    await Promise.all([call.waitForAdmission(), call.waitForAdmission()])
    expect(admission.state.heavy.running).toBe(1)
    call.end()
    call.end()
    expect(admission.state.heavy.running).toBe(0)
    expect(call.lane).toBe('background')
  })

  it('waits for two others of its user, and for no other calls', async () => {
    const admission = new Admission()
    const [first, second, third, other, light] = [
      ...['a', 'a', 'a', 'b'].map((user) => admission.open('heavy', turn(user))),
      admission.open('light', turn('a')),
    ] as [CallWork, CallWork, CallWork, CallWork, CallWork]
    await Promise.all([
      first.waitForAdmission(),
      second.waitForAdmission(),
      other.waitForAdmission(),
      light.waitForAdmission(),
    ])
    const admitted = third.waitForAdmission()
    expect(await isSettled(admitted)).toBe(false)
    second.end()
    await admitted
  })

  it('releases its turn if it ends while it waits', async () => {
    const admission = new Admission()
    const calls = Array.from({ length: 3 }, () => admission.open('heavy', turn('a')))
    const admitted = calls.map((call) => call.waitForAdmission())
    for (const call of calls.toReversed()) call.end()
    await Promise.all(admitted)
    expect(admission.state.heavy).toMatchObject({ running: 0, waiting: 0 })
  })

  it('is refused with a retry time: 429 at the limit of its user, 503 at that of all users', async () => {
    const admission = new Admission()
    const refusalOf = (user: string) =>
      admission
        .open('heavy', turn(user))
        .waitForAdmission()
        .then(
          () => null,
          (error: unknown) => (error instanceof Busy ? [error.code, error.retryAfter] : error),
        )
    const all = ['a', 'b', 'c', 'd'].flatMap((user) => Array.from({ length: 23 }, () => refusalOf(user)))
    const settled = await Promise.all(all.map(async (each) => ((await isSettled(each)) ? each : 'waits')))
    const countOf = (outcome: string): number => settled.filter((each) => String(each) === outcome).length
    // Three run in the region; twenty may wait per user, sixty in total.
    expect(['null', 'waits', 'too_many_requests,5', 'service_unavailable,10'].map(countOf)).toEqual([
      3, 60, 6, 23,
    ])
  })
})

it('admits one long body per user at a time, and three in total', async () => {
  const admission = new Admission()
  const end = await admission.takeBody('a')
  await expect(admission.takeBody('a')).rejects.toMatchObject({ code: 'too_many_requests', retryAfter: 5 })
  await admission.takeBody('b')
  await admission.takeBody('c')
  await expect(admission.takeBody('d')).rejects.toMatchObject({ code: 'service_unavailable' })
  end()
  await admission.takeBody('d')
})

it('admits two hundred calls per user at a time, and twice as many in total', async () => {
  const admission = new Admission()
  const ends = await Promise.all(Array.from({ length: 200 }, () => admission.takeCall('a')))
  await expect(admission.takeCall('a')).rejects.toMatchObject({ code: 'too_many_requests', retryAfter: 2 })
  for (let at = 0; at < 200; at++) await admission.takeCall(`b${at % 2}`)
  await expect(admission.takeCall('c')).rejects.toMatchObject({ code: 'service_unavailable', retryAfter: 2 })
  ends[0]?.()
  await admission.takeCall('c')
})

it('runs a light query while all sessions of the other lanes are busy', async () => {
  const [admission, lanes] = [new Admission(), new Lanes()]
  const never = (): Promise<never> => new Promise(() => undefined)
  for (let at = 0; at < 20; at++) {
    void lanes.run(never)
    // Waiting calls are refused after the test has ended.
    runInLane(admission.open('heavy', turn(`user ${at}`, `region ${at}`)), () => lanes.run(never)).catch(
      () => undefined,
    )
  }
  expect(await runInLane(admission.open('light', turn('a')), () => lanes.run(async () => 'done'))).toBe(
    'done',
  )
  expect(lanes.state).toMatchObject({
    light: { running: 0 },
    heavy: { running: 4, waiting: 0 },
    background: { running: 3, waiting: 17 },
  })
  expect(admission.state.heavy).toMatchObject({ running: 4, waiting: 16 })
})
