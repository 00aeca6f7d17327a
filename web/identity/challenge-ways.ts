import type { ChallengeWay } from '#web/data/second-factor.ts'

const known = ['totp', 'otp'] as const

/** The ways through a challenge, in the order of the server's list, with the recovery codes at the end; none where this page knows no kind of the list. */
export function challengeWays(methods: readonly string[]): readonly ChallengeWay[] {
  const ways = methods.flatMap((method) => known.find((each) => each === method) ?? [])
  return ways.length > 0 ? [...new Set(ways), 'recovery'] : []
}
