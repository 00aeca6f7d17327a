// The function and the SQL expression for lost vehicles agree to the millisecond.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hourMs } from '#contract/period.ts'
import { isLost, lostAt, createLostRule, wasLostBetween } from '#server/regions/lost-vehicles.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { Facts } from '#server/stores/facts.ts'
import { toDateTime, toMilliseconds } from '#server/stores/date-time.ts'
import { sql } from '#server/stores/sql.ts'
import { useFacts } from './use-stores.ts'

const begin = Date.UTC(2026, 2, 28)

describe('vehicles without contact', () => {
  let facts: Facts
  useFacts((opened) => void (facts = opened))

  it('are lost from the time at which the limit passes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 96 }),
        fc.integer({ min: 0, max: 200 * hourMs }),
        fc.oneof(fc.integer({ min: -2, max: 2 }), fc.integer({ min: -100 * hourMs, max: 100 * hourMs })),
        async (limitHours, sinceBegin, sinceLimit) => {
          const contact = begin + sinceBegin
          const limit = limitHours * hourMs
          const at = contact + limit + sinceLimit
          const rule = createLostRule(limitHours)
          const contactSql = toDateTime(contact)
          const atSql = toDateTime(at)
          const [row] = await facts.rows<Record<string, string>>(
            systemScope,
            sql`
              select
                toString(${toMilliseconds(rule.lostAt(contactSql))}) as lost_at,
                toString(${rule.isLost(contactSql, atSql)}) as is_lost,
                toString(${rule.hasContact(contactSql, atSql)}) as has_contact,
                toString(${rule.wasLostBetween(contactSql, atSql)}) as was_lost`,
          )
          expect(row).toEqual({
            lost_at: String(lostAt(contact, limit)),
            is_lost: String(Number(isLost(contact, at, limit))),
            has_contact: String(Number(!isLost(contact, at, limit))),
            was_lost: String(Number(wasLostBetween(contact, at, limit))),
          })
          expect(isLost(contact, at, limit)).toBe(sinceLimit >= 0)
        },
      ),
      { numRuns: Number(process.env['FLEET_RUNS'] ?? 30), endOnFailure: true },
    )
  })
})
