import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CdsPolicyContent, CdsZone } from '#contract/cds.ts'
import type { StagedPolicy, StagedZone } from '../../store/staged.ts'
import { center, createCurbFile, stageAll } from '../../../../test/curb/staging.ts'
import type { StagedRow } from '../curb-format.ts'
import { toJsonText } from '../json-text.ts'
import { suggestMapping } from '../table/suggest-mapping.ts'
import { surveyTable } from '../table/survey-table.ts'
import { cdsFormat } from './cds-format.ts'
import { curblrFormat } from './curblr-format.ts'
import { signsFormat } from './signs-format.ts'
import { tableFormat } from './table-format.ts'

const runs = { numRuns: Number(process.env['CURB_IMPORT_RUNS'] ?? 60) }

/** Values that occur in files where something else is expected. */
const anyOddValue = fc.oneof(
  fc.constantFrom(
    null,
    '',
    [],
    {},
    [{}],
    [null],
    'NULL',
    -1,
    1.5,
    '7',
    'Mon',
    '24:00',
    '26:30',
    '8:00',
    'No Parking',
    '\0',
    '\ud800',
    1e15,
  ),
  fc.jsonValue({ maxDepth: 2 }),
)
/** Generates records with some odd or missing fields, and some keys in capitals. */
const anyRecord = (record: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<unknown> => {
  const fields = Object.entries(record).map(([key, good]) =>
    fc.tuple(
      fc.oneof(
        { weight: 20, arbitrary: fc.constant(key) },
        { weight: 1, arbitrary: fc.constant(key.toUpperCase()) },
      ),
      fc.oneof(
        { weight: 12, arbitrary: good },
        { weight: 1, arbitrary: anyOddValue },
        { weight: 1, arbitrary: fc.constant(undefined) },
      ),
    ),
  )
  return fc.tuple(...fields).map((entries) => Object.fromEntries(entries))
}
/** Generates lists with some odd values. */
const anyList = (good: fc.Arbitrary<unknown>, maxLength = 3): fc.Arbitrary<unknown> =>
  fc.array(fc.oneof({ weight: 12, arbitrary: good }, { weight: 1, arbitrary: anyOddValue }), { maxLength })
const id = fc.constantFrom('a', 'b', 'c', 'd', 'e')
const offset = fc.double({ min: -0.01, max: 0.01, noNaN: true })
const position = fc.tuple(offset, offset).map(([x, y]) => [center.lon + x, center.lat + y])
const geometry = fc.oneof(
  fc
    .array(position, { minLength: 1, maxLength: 5 })
    .map((coordinates) => ({ type: 'LineString', coordinates })),
  fc
    .array(position, { minLength: 3, maxLength: 5 })
    .map((ring) => ({ type: 'Polygon', coordinates: [[...ring, ring[0]]] })),
  position.map((coordinates) => ({ type: 'Point', coordinates: coordinates.toReversed() })),
)
const clock = fc.constantFrom('00:00', '07:30', '18:00', '24:00', '25:00', '9:15')
const rate = anyRecord({
  rate: fc.nat(900),
  rate_unit: fc.constantFrom('hour', 'Hours', 'minute'),
  start_duration: fc.nat(3),
  end_duration: fc.nat(6),
})
const rule = anyRecord({
  activity: fc.constantFrom('parking', 'no stopping', 'Loading', 'standing', 'restricted'),
  max_stay: fc.oneof(fc.nat(600), fc.constant('2.5')),
  max_stay_unit: fc.constantFrom('minute', 'hour'),
  user_classes: anyList(fc.constantFrom('truck', 'Bus', 'our_own')),
  rate: anyList(rate),
})
const span = anyRecord({
  days_of_week: anyList(fc.constantFrom('mon', 'Tuesday', 'SAT'), 4),
  time_of_day_start: clock,
  time_of_day_end: clock,
  months: anyList(fc.integer({ min: 1, max: 12 })),
})
const policy = anyRecord({
  curb_policy_id: id,
  published_date: fc.constant(1_700_000_000_000),
  priority: fc.nat(90),
  rules: anyList(rule),
  time_spans: anyList(span),
})
const zone = anyRecord({
  curb_zone_id: id,
  geometry,
  curb_policy_ids: anyList(id),
  prev_policies: anyList(
    anyRecord({ curb_policy_ids: anyList(id), start_date: fc.nat(2e12), end_date: fc.nat(2e12) }),
  ),
  published_date: fc.constant(1_700_000_000_000),
  last_updated_date: fc.constant('2026-01-01T00:00:00Z'),
  start_date: fc.constant(1_600_000_000),
  street_side: fc.constantFrom('N', 'south', 'x'),
  length: fc.double({ min: 0, max: 9000, noNaN: true }),
  num_spaces: fc.nat(9),
})

const addedFields = {
  curb_zone_id: 'new',
  published_date: 0,
  last_updated_date: 0,
  start_date: 0,
  curb_policy_ids: [],
}

/** Expects what is true for the rows of any file. */
function expectValidRows(rows: readonly StagedRow[]): void {
  expect(rows.map(({ row }) => row)).toEqual(rows.map((_, index) => index + 1))
  const policyIds = new Set(
    rows.flatMap(({ staged }) => (staged?.kind === 'policy' ? [staged.policy.curb_policy_id] : [])),
  )
  for (const { outcome, staged, findings, source } of rows) {
    expect(['accepted', 'repaired', 'refused']).toContain(outcome)
    expect(findings.some(({ effect }) => effect === 'refuse')).toBe(outcome === 'refused')
    expect(findings.some(({ effect }) => effect === 'repair') || outcome !== 'repaired').toBe(true)
    expect(toJsonText({ source, staged })).not.toMatch(/\\u0000|\\ud[89a-f]/i)
    expect(staged !== null && outcome === 'refused').toBe(false)
    const policies: StagedPolicy[] = []
    if (staged?.kind === 'policy') policies.push(staged.policy)
    if (staged?.kind === 'zone')
      policies.push(...staged.policies, ...staged.history.flatMap((period) => period.policies))
    expect(policies.map((policy) => CdsPolicyContent.safeParse(policy).error)).toEqual(
      policies.map(() => undefined),
    )
    if (staged?.kind === 'zone') expectZone(staged, policyIds)
  }
}

function expectZone(staged: StagedZone, policyIds: ReadonlySet<string>): void {
  expect(CdsZone.safeParse({ ...addedFields, ...staged.zone }).error).toBeUndefined()
  expect(staged.policyIds.filter((policyId) => !policyIds.has(policyId))).toEqual([])
  expect(
    staged.history.every(
      ({ start, end }, index) => start < end && start >= (staged.history[index - 1]?.end ?? 0),
    ),
  ).toBe(true)
}

test('Each record of any CDS file is staged once, with only what CDS allows', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof({ weight: 20, arbitrary: zone }, { weight: 1, arbitrary: anyOddValue }), {
        minLength: 1,
        maxLength: 8,
      }),
      fc.array(fc.oneof({ weight: 20, arbitrary: policy }, { weight: 1, arbitrary: anyOddValue }), {
        maxLength: 6,
      }),
      fc.boolean(),
      fc.integer({ min: 7, max: 4000 }),
      async (zones, policies, isList, partBytes) => {
        const lists = isList ? [{ zones }, { policies }] : { zones, policies }
        const { rows } = await stageAll(cdsFormat, [createCurbFile({ data: lists }, partBytes)])
        expect(rows).toHaveLength(zones.length + policies.length)
        expectValidRows(rows)
      },
    ),
    runs,
  )
}, 60_000)

test('A period of earlier policies that overlaps a retained one is left out, also after one that was left out', async () => {
  const toPeriod = ([start_date, end_date]: number[]) => ({ curb_policy_ids: [], start_date, end_date })
  const zones = [
    {
      curb_zone_id: 'a',
      geometry: { type: 'Point', coordinates: [center.lon, center.lat] },
      curb_policy_ids: [],
      prev_policies: [
        [0, 2e12],
        [0, 1e12],
        [1.1e12, 1.2e12],
      ].map(toPeriod),
    },
  ]
  const { rows } = await stageAll(cdsFormat, [createCurbFile({ data: { zones, policies: [] } })])
  const [{ staged } = {}] = rows
  expect(staged?.kind === 'zone' && staged.history).toEqual([
    { start: 0, end: 2e12, policies: [], policyIds: [] },
  ])
})

const curblrSpan = anyRecord({
  daysOfWeek: anyRecord({
    days: anyList(fc.constantFrom('mo', 'we', 'Su')),
    occurrencesInMonth: anyList(fc.constantFrom('1st', '3rd', 'last')),
  }),
  timesOfDay: anyList(anyRecord({ from: clock, to: clock })),
  daysOfMonth: anyList(fc.constantFrom(1, 'odd', 'last')),
  effectiveDates: anyList(
    anyRecord({
      from: fc.constantFrom('04-01', '2026-02-30', '2026-01-01'),
      to: fc.constantFrom('11-30', '2026-12-31'),
    }),
  ),
  designatedPeriods: anyList(
    anyRecord({
      name: fc.constantFrom('holidays', 'snow'),
      apply: fc.constantFrom('only during', 'except during'),
    }),
  ),
})
const regulation = anyRecord({
  rule: anyRecord({
    activity: fc.constantFrom('parking', 'no standing', 'restricted'),
    priorityCategory: fc.constantFrom('free', '3'),
    maxStay: fc.nat(300),
  }),
  userClasses: anyList(
    anyRecord({
      classes: anyList(fc.constantFrom('handicap', 'taxi')),
      subclasses: anyList(fc.constant('permit')),
    }),
  ),
  timeSpans: anyList(curblrSpan),
  payment: anyRecord({
    rates: anyList(
      anyRecord({
        fees: anyList(fc.constantFrom(1, 1.6, 0.25)),
        durations: anyList(fc.constantFrom(60, 30, 120)),
      }),
    ),
  }),
})

test('Each feature of any CurbLR file is staged once', async () => {
  const feature = anyRecord({
    type: fc.constant('Feature'),
    geometry,
    properties: anyRecord({
      location: anyRecord({
        shstRefId: id,
        sideOfStreet: fc.constantFrom('left', 'right'),
        baysCount: fc.nat(5),
      }),
      regulations: anyList(regulation),
    }),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(feature, { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 7, max: 4000 }),
      async (features, partBytes) => {
        const { rows } = await stageAll(curblrFormat, [
          createCurbFile({ manifest: { priorityHierarchy: ['free'] }, features }, partBytes),
        ])
        expect(rows).toHaveLength(features.length)
        expect(new Set(rows.map(({ recordId }) => recordId)).size).toBe(rows.length)
        expectValidRows(rows)
      },
    ),
    runs,
  )
}, 60_000)

test('Each row of any table is staged once with the suggested mapping', async () => {
  const cell = (good: string[]): fc.Arbitrary<string> =>
    fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom(...good) },
      { weight: 1, arbitrary: fc.string().map((text) => text.replace(/[",\r\n]/g, '')) },
    )
  const row = fc
    .tuple(
      id,
      cell(['45.52', '0', '95']),
      cell(['-122.68', 'x']),
      cell(['$1.50', '######']),
      cell(['8AM-6PM', 'M-S', '']),
      cell(['120', '30180']),
      cell(['2024-01-01', '01/02/2024']),
    )
    .map((cells) => cells.join(','))
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 12 }), async (rows) => {
      const file = createCurbFile(
        ['meter_id,lat,lon,rate,hours_operation,time_limit,effective_date', ...rows].join('\n'),
      )
      const suggested = suggestMapping(await surveyTable(file))
      const mapping = { ...suggested, columns: { ...suggested.columns, id: 'meter_id' } }
      const staged = await stageAll(tableFormat, [file], { mapping })
      expect(staged.rows).toHaveLength(rows.length)
      expectValidRows(staged.rows)
    }),
    runs,
  )
}, 60_000)

test('Every curb and sign of any inventory is staged', async () => {
  const asset = anyRecord({
    type: fc.constant('Feature'),
    geometry,
    properties: anyRecord({
      label: id,
      sign_text: fc.constantFrom('NO STOPPING ANYTIME', 'SPECIAL', '2 HOUR PARKING 8AM-6PM'),
      arrow: fc.constantFrom('<-', '->', '<->'),
    }),
  })
  const line = {
    type: 'Feature',
    properties: { label: 'x' },
    geometry: {
      type: 'LineString',
      coordinates: [
        [center.lon, center.lat],
        [center.lon + 0.001, center.lat],
      ],
    },
  }
  await fc.assert(
    fc.asyncProperty(fc.array(asset, { maxLength: 10 }), async (assets) => {
      const { rows } = await stageAll(signsFormat, [createCurbFile({ features: [line, ...assets] })])
      expect(rows.length).toBeGreaterThanOrEqual(assets.length + 1)
      expectValidRows(rows)
    }),
    runs,
  )
}, 60_000)
