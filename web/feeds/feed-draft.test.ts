import { describe, expect, it } from 'vitest'
import { type Feed, FeedChange, feedKinds, NewFeed } from '#contract/feeds.ts'
import { formatRecordField, listFields } from './record-table.tsx'
import { toPullPeriod } from './backfill-dialog.tsx'
import {
  createEmptyFeed,
  toFeedRequest,
  toFeedDraft,
  listKinds,
  withKind,
  parseSettings,
} from './feed-draft.ts'
import { groupHoursByDay } from './hour-grid.tsx'
import { toOperatorRequest, toSlug } from './operator-dialog.tsx'
import { createTestFeed, testPullWindow } from './test-feeds.ts'

describe('a draft', () => {
  it.each(feedKinds)('of a new %s feed is accepted by the server', (kind) => {
    const operator = listKinds(null).includes(kind) ? null : 'swift'
    const ask = toFeedRequest({
      ...createEmptyFeed(kind, operator, 'Swift'),
      url: 'https://o.example/mds',
      token: 'secret',
    })
    expect(NewFeed.safeParse(ask).success).toBe(true)
    expect(ask?.url).toBe(['mds_agency', 'cds_push'].includes(kind) ? null : 'https://o.example/mds')
  })

  it('is invalid if a number is missing or the settings are not JSON', () => {
    const draft = { ...createEmptyFeed('gbfs', 'swift', 'Swift'), url: 'https://o.example' }
    for (const part of [
      { intervalSeconds: '' },
      { promisedMinutes: '1.5' },
      { backfillHours: '-' },
      { moreSettings: '{' },
      { moreSettings: '[1]' },
    ])
      expect(toFeedRequest({ ...draft, ...part })).toBeNull()
    expect(toFeedRequest({ ...draft, moreSettings: ' {"a": 1} ' })?.settings).toEqual({
      a: 1,
      backfillHours: 24,
    })
    expect([parseSettings(''), parseSettings('null'), parseSettings('7')]).toEqual([{}, null, null])
  })

  it.each([
    [{ kind: 'none' }, {}, { kind: 'none' }],
    [{ kind: 'bearer', hasToken: true }, {}, { kind: 'bearer' }],
    [{ kind: 'bearer', hasToken: true }, { token: ' new ' }, { kind: 'bearer', token: 'new' }],
    [
      { kind: 'oauth', tokenUrl: 'https://o.example/t', clientId: 'us', hasSecret: true, scope: 'mds' },
      {},
      { kind: 'oauth', tokenUrl: 'https://o.example/t', clientId: 'us', scope: 'mds' },
    ],
    [
      { kind: 'headers', names: ['X-Key', 'X-Other'] },
      {},
      { kind: 'headers', headers: [{ name: 'X-Key' }, { name: 'X-Other' }] },
    ],
    [
      { kind: 'query', names: ['key'] },
      {
        pairs: [
          { name: 'key', value: 'b' },
          { name: ' ', value: '' },
        ],
      },
      { kind: 'query', query: [{ name: 'key', value: 'b' }] },
    ],
  ] as const)('of a feed with %j omits secrets that are not typed', (auth, typed, expected) => {
    const ask = toFeedRequest({
      ...toFeedDraft(
        createTestFeed({ auth: auth as Feed['auth'], settings: { backfillHours: 48, stops: false } }),
      ),
      ...(typed as object),
    })
    expect(ask?.auth).toEqual(expected)
    expect(ask?.settings).toEqual({ backfillHours: 48, stops: false })
    expect(FeedChange.safeParse(ask).success).toBe(true)
  })

  it('starts with the defaults of its kind when the kind changes', () => {
    expect(
      withKind(
        { ...createEmptyFeed('mds_provider', 'swift', 'Swift'), version: '1.2', intervalSeconds: 7 },
        'gbfs',
      ),
    ).toMatchObject({
      kind: 'gbfs',
      version: '3.0',
      intervalSeconds: 60,
      promisedMinutes: 5,
      authKind: 'none',
      name: 'Swift',
    })
    expect([listKinds('swift'), listKinds(null)]).toEqual([
      ['mds_provider', 'mds_agency', 'gbfs'],
      ['open311', 'weather', 'cds_events', 'cds_push', 'sensor_states'],
    ])
  })
})

describe('hours', () => {
  it('are by day, newest first, with gaps for unknown hours', () => {
    const days = groupHoursByDay(
      [
        testPullWindow('2026-05-01T01:00:00.000Z'),
        testPullWindow('2026-05-01T00:00:00.000Z'),
        testPullWindow('2026-04-30T23:00:00.000Z', 'failed'),
      ],
      'UTC',
    )
    expect(days.map(({ day, hours }) => [day, hours.map((hour) => hour?.status[0] ?? ' ').join('')])).toEqual(
      [
        ['2026-05-01', `dd${' '.repeat(22)}`],
        ['2026-04-30', `${' '.repeat(23)}f`],
      ],
    )
  })
  it('are local; a repeated hour shows a failure', () => {
    const pullWindows = [
      testPullWindow('2026-11-01T04:00:00.000Z'),
      testPullWindow('2026-11-01T05:00:00.000Z', 'failed'),
      testPullWindow('2026-11-01T06:00:00.000Z'),
      testPullWindow('2026-11-01T07:00:00.000Z'),
    ]
    expect(
      groupHoursByDay(pullWindows, 'America/New_York').map(({ day, hours }) => [
        day,
        hours
          .map((hour) => hour?.status[0] ?? ' ')
          .join('')
          .trimEnd(),
      ]),
    ).toEqual([['2026-11-01', 'dfd']])
  })
  it('are empty if pull windows are days', () =>
    expect(
      groupHoursByDay(
        [testPullWindow('2026-05-01T04:00:00.000Z'), testPullWindow('2026-04-30T04:00:00.000Z')],
        'UTC',
      ),
    ).toEqual([]))
  it('of some days last from midnight to midnight', () => {
    expect(toPullPeriod({ from: '2026-02-27', to: '2026-02-28' }, 'America/New_York')).toEqual({
      from: '2026-02-27T05:00:00.000Z',
      until: '2026-03-01T05:00:00.000Z',
    })
    expect([
      toPullPeriod({ from: null, to: '2026-02-28' }, 'UTC'),
      toPullPeriod({ from: '2026-03-01', to: '2026-02-28' }, 'UTC'),
    ]).toEqual([null, null])
  })
})

describe('records in a test', () => {
  it('have all their fields, with formatted times, and empty cells for unknown values', () => {
    const records = [
      { id: 'a', time: 1_780_000_000_000, lat: null },
      { id: 'b', types: ['x'], time: 5 },
    ]
    expect(listFields(records)).toEqual(['id', 'time', 'lat', 'types'])
    expect(
      records.map((record) =>
        listFields(records).map((field) => formatRecordField(record, field, 'America/New_York')),
      ),
    ).toEqual([
      ['a', 'May 28, 2026, 4:26:40 PM EDT', '', ''],
      ['b', '5', '', '["x"]'],
    ])
    expect([listFields([7]), formatRecordField(7, 'value', 'UTC')]).toEqual([['value'], '7'])
  })
})

describe('operators', () => {
  it.each([
    ['Swift Bikes!', 'swift-bikes'],
    ['_São', 'sao'],
    ['', ''],
  ])('%j goes by %j', (name, slug) => expect(toSlug(name)).toBe(slug))
  it('are sent in a normalized form', () =>
    expect(toOperatorRequest({ slug: 'a ', name: ' A ', colorHex: 'x', providerId: ' ABC ' })).toEqual({
      slug: 'a',
      name: 'A',
      colorHex: 'x',
      providerId: 'abc',
    }))
})
