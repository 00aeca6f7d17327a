import { describe, expect, it } from 'vitest'
import { toAuditQuery, auditSearch } from './audit-search.ts'
import { impersonateAddress, parseImpersonatedUser } from './impersonate-address.ts'
import { toOwnUrl } from './onboarding-screen.tsx'

describe('the URL of the audit log', () => {
  it('sorts the days, and drops an invalid one', () => {
    expect([
      auditSearch({ start_date: '2026-05-09', end_date: '2026-05-01' }),
      auditSearch({ start_date: '2026-05-01', end_date: '2026-05-32' }),
    ]).toEqual([{ start_date: '2026-05-01', end_date: '2026-05-09' }, { start_date: '2026-05-01' }])
  })

  it('becomes a query without the page', () => {
    expect(toAuditQuery({ search: 'x', impersonated: true, page: 4 }, 'UTC')).toEqual({
      search: 'x',
      impersonated: 'true',
    })
    expect(toAuditQuery({ page: 2 }, 'UTC')).toEqual({})
    expect(toAuditQuery({ start_date: '2026-05-01' }, 'America/New_York')).toEqual({
      start_date: '2026-05-01',
      timezone: 'America/New_York',
    })
  })
})

describe('the URL of impersonation', () => {
  it.each([
    { id: 'u2', email: 'grace+test@city.example' },
    { id: '1234567890123456789012', email: 'a&b=c@x.example' },
    { id: '1e5', email: 'ñ@x.example' },
  ])('is parsed to what it was built from: %j', ({ id, email }) => {
    expect(parseImpersonatedUser(new URL(impersonateAddress({ id, email }), 'http://x').search)).toEqual({
      user_id: id,
      user_email: email,
    })
  })
  it.each(['', '?id=u2', '?email=a@b.example', '?id=&email=a@b.example'])('is incomplete: %j', (search) =>
    expect(parseImpersonatedUser(search)).toBeNull(),
  )
})

describe('the link of an invitation', () => {
  it.each([
    ['http://localhost:4870/reset?token=a%2Bb#x', '/reset?token=a%2Bb#x'],
    ['https://elsewhere.example/reset?token=a', '/reset?token=a'],
    ['/reset?token=a', '/reset?token=a'],
    ['https://x.example//elsewhere.example/a', '/elsewhere.example/a'],
    ['javascript:alert(1)', '/login'],
    ['http://', '/login'],
  ])('%s leads to %s', (link, url) => expect(toOwnUrl(link, 'http://127.0.0.1:4870')).toBe(url))
})
