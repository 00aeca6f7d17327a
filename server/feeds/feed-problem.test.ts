import { expect, test } from 'vitest'
import { FetchRefused } from '#server/http/guarded-fetch.ts'
import { UnreadableBody } from './adapters/adapter.ts'
import { FeedProblem, describeProblem, describeStatus } from './feed-problem.ts'
import { parseRetryAfter } from './pull/fetch-page.ts'

test('Every failure has a message, and internal errors have none', () => {
  for (const code of ['address', 'protocol', 'size', 'time', 'redirect', 'encoding'] as const)
    expect(describeProblem(new FetchRefused(code, 'https://o.example?key=secret'))).toMatch(/^[A-Z][^?]+\.$/)
  for (const code of [
    'ECONNREFUSED',
    'ENOTFOUND',
    'EPIPE',
    'HPE_INVALID_HEADER_TOKEN',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  ])
    expect(describeProblem(Object.assign(new Error('secret'), { code }))).toMatch(/^[A-Z].+\.$/)
  expect([describeProblem(new FeedProblem('So.')), describeProblem(new UnreadableBody('No JSON.'))]).toEqual([
    'So.',
    'No JSON.',
  ])
  expect([
    describeProblem(new TypeError('x')),
    describeProblem(Object.assign(new Error('x'), { code: 241 })),
    describeProblem(null),
  ]).toEqual([null, null, null])
})

test('The message of a status says what to do', () => {
  expect(
    [401, 403, 404, 406, 429, 503, 418].map((status) =>
      describeStatus(status).replaceAll(/\D*(\d+)\D*/g, '$1'),
    ),
  ).toEqual(['401', '403', '404', '406', '429', '503', '418'])
  expect(describeStatus(401)).toContain('check the credentials')
})

test('Retry-After is seconds or a date, and a day at most', () => {
  const now = Date.parse('2026-05-01T12:00:00Z')
  expect(
    [
      '120',
      'Fri, 01 May 2026 12:10:00 GMT',
      '99999999',
      'soon',
      '-5',
      '0',
      null,
      'Fri, 01 May 2020 12:10:00 GMT',
    ].map((text) => parseRetryAfter(text, now)),
  ).toEqual([120_000, 600_000, 86_400_000, null, null, null, null, null])
})
