import { describe, expect, it, test } from 'vitest'
import { type CallWork, Workloads, runInWorkload } from '#server/stores/workloads.ts'
import { Admission } from './admission.ts'
import { Busy } from './problem.ts'

const turn = (userId: string, regionId = 'here') => ({
  userId,
  regionId,
  signal: new AbortController().signal,
})
/** Returns whether a promise is settled after pending microtasks have run. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false
  promise.then(
    () => (settled = true),
    () => (settled = true),
  )
  for (let index = 0; index < 20; index++) await Promise.resolve()
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
    expect(call.workload).toBe('background')
  })

  it('waits for another heavy call of its user or two of its region, and for no other calls', async () => {
    const admission = new Admission()
    const open = (user: string, region = 'here'): CallWork => admission.open('heavy', turn(user, region))
    const [first, second, third, ofA, ofC, light] = [
      open('a'),
      open('b'),
      open('d', 'there'),
      open('a'),
      open('c'),
      admission.open('light', turn('a')),
    ]
    await Promise.all([first, second, third, light].map((call) => call.waitForAdmission()))
    const [admittedOfA, admittedOfC] = [ofA.waitForAdmission(), ofC.waitForAdmission()]
    third.end()
    expect([await isSettled(admittedOfA), await isSettled(admittedOfC)]).toEqual([false, false])
    second.end()
    await admittedOfC
    expect(await isSettled(admittedOfA)).toBe(false)
    first.end()
    await admittedOfA
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
    const catchRefusal = (user: string) =>
      admission
        .open('heavy', turn(user))
        .waitForAdmission()
        .then(
          () => null,
          (error: unknown) => (error instanceof Busy ? [error.code, error.retryAfter] : error),
        )
    const calls = ['a', 'b', 'c', 'd'].flatMap((user) => Array.from({ length: 23 }, () => catchRefusal(user)))
    const settled = await Promise.all(calls.map(async (call) => ((await isSettled(call)) ? call : 'waits')))
    const countOutcomes = (outcome: string): number =>
      settled.filter((result) => String(result) === outcome).length
    // Two run in the region; twenty may wait per user, sixty in total.
    expect(['null', 'waits', 'too_many_requests,5', 'service_unavailable,10'].map(countOutcomes)).toEqual([
      2, 60, 7, 23,
    ])
  })
})

test('Admission admits one long body per user at a time, and three in total', async () => {
  const admission = new Admission()
  const end = await admission.takeBody('a')
  await expect(admission.takeBody('a')).rejects.toMatchObject({ code: 'too_many_requests', retryAfter: 5 })
  await admission.takeBody('b')
  await admission.takeBody('c')
  await expect(admission.takeBody('d')).rejects.toMatchObject({ code: 'service_unavailable' })
  end()
  await admission.takeBody('d')
})

test('Admission admits two hundred calls per user at a time, and twice as many in total', async () => {
  const admission = new Admission()
  const ends = await Promise.all(Array.from({ length: 200 }, () => admission.takeCall('a')))
  await expect(admission.takeCall('a')).rejects.toMatchObject({ code: 'too_many_requests', retryAfter: 2 })
  for (let index = 0; index < 200; index++) await admission.takeCall(`b${index % 2}`)
  await expect(admission.takeCall('c')).rejects.toMatchObject({ code: 'service_unavailable', retryAfter: 2 })
  ends[0]?.()
  await admission.takeCall('c')
})

test('Admission runs a light query while all sessions of the other workloads are busy', async () => {
  const [admission, workloads] = [new Admission(), new Workloads()]
  const never = (): Promise<never> => new Promise(() => undefined)
  for (let index = 0; index < 20; index++) {
    void workloads.run(never)
    // Waiting calls are refused after the test has ended.
    runInWorkload(admission.open('heavy', turn(`user ${index}`, `region ${index}`)), () =>
      workloads.run(never),
    ).catch(() => undefined)
  }
  expect(
    await runInWorkload(admission.open('light', turn('a')), () => workloads.run(async () => 'done')),
  ).toBe('done')
  expect(workloads.state).toMatchObject({
    light: { running: 0 },
    heavy: { running: 3, waiting: 0 },
    background: { running: 3, waiting: 17 },
  })
  expect(admission.state.heavy).toMatchObject({ running: 3, waiting: 17 })
})
