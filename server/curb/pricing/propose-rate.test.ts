import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pricingPresets } from '#contract/curb-pricing-presets.ts'
import {
  checkParameters,
  type PricingParameters,
  type PricingPresetKey,
} from '#contract/curb-pricing-parameters.ts'
import { plainProposal } from '../../../test/curb/plain-pricing.ts'
import { proposeRate, type CellFacts, type RateRule } from './propose-rate.ts'

const getPreset = (key: PricingPresetKey) => pricingPresets.find((preset) => preset.key === key)!

/** Creates parameters of a preset, with values for those that its source does not define. */
const createParameters = (
  key: PricingPresetKey,
  choices: Partial<PricingParameters> = {},
): PricingParameters => ({
  ...getPreset(key).fields,
  preset: key,
  start_date: '2026-01-05',
  end_date: '2026-03-01',
  excluded_days: [],
  kinds: ['measured'],
  paid_reason: null,
  min_days: 10,
  min_coverage: 0.5,
  curb_zone_ids: null,
  effective_date: '2026-04-01',
  ...choices,
})

const toFacts = (
  rate: number | null,
  occupancy: number | null,
  overrides: Partial<CellFacts> = {},
): CellFacts => ({
  rate,
  refusal: null,
  occupancy,
  days: 40,
  coverage: 1,
  capacity: 10,
  lastChange: null,
  ...overrides,
})

const propose = (parameters: PricingParameters, rate: number, occupancy: number) =>
  proposeRate(parameters, toFacts(rate, occupancy)).proposed_rate

describe('published step tables', () => {
  const pilot = createParameters('sfpark')

  it('Battery St, 400 block: raises the afternoon at 92 to 94% to $5.25, lowers the morning at 25% to $1.00', () => {
    expect(propose(pilot, 500, 0.92)).toBe(525)
    expect(propose(pilot, 500, 0.94)).toBe(525)
    expect(propose(pilot, 150, 0.25)).toBe(100)
  })

  it.each([
    [0, 250],
    [0.2999, 250],
    [0.3, 275],
    [0.5999, 275],
    [0.6, 300],
    [0.7999, 300],
    [0.8, 325],
    [1, 325],
    [1.2, 325],
  ])('SFpark pilot at %d: lower bounds are included', (occupancy, rate) => {
    expect(propose(pilot, 300, occupancy)).toBe(rate)
  })

  it.each([
    [0.1, 275],
    [0.5999, 275],
    [0.6, 300],
    [0.8, 325],
  ])('San Francisco today at %d', (occupancy, rate) => {
    expect(propose(createParameters('san_francisco'), 300, occupancy)).toBe(rate)
  })

  it('San Francisco: includes occupancies that are exactly at a bound', () => {
    const at60 = proposeRate(createParameters('san_francisco'), toFacts(300, 3_600_000 / 6_000_000))
    const at80 = proposeRate(
      createParameters('san_francisco'),
      toFacts(300, (8 * 86_400_000) / (10 * 86_400_000)),
    )
    expect([at60.proposed_rate, at80.proposed_rate]).toEqual([300, 325])
  })

  it('San Francisco: stays between floor and ceiling', () => {
    const current = createParameters('san_francisco')
    expect(proposeRate(current, toFacts(50, 0.1))).toEqual({ proposed_rate: 50, step: 0, limits: ['floor'] })
    expect(proposeRate(current, toFacts(1000, 0.95))).toEqual({
      proposed_rate: 1000,
      step: 2,
      limits: ['ceiling'],
    })
    expect(proposeRate(pilot, toFacts(50, 0.1))).toEqual({ proposed_rate: 25, step: 0, limits: ['floor'] })
  })

  it.each([
    [0.64, 200],
    [0.65, 250],
    [0.7, 250],
    [0.86, 250],
    [0.9, 300],
  ])('Seattle at %d: changes rates only more than 5 points away from the target', (occupancy, rate) => {
    expect(propose(createParameters('seattle'), 250, occupancy)).toBe(rate)
  })

  it('Los Angeles: stays within half of the base rate around it', () => {
    const { steps, max_change: max } = getPreset('los_angeles').fields
    const rule = createParameters('los_angeles', {
      steps: steps.map((step, i) => ({ ...step, change: [-100, 0, 100][i]! })),
      max_change: { ...max, base_rate: 200 },
    })
    expect(checkParameters(rule)).toEqual([])
    expect(propose(rule, 200, 0.95)).toBe(300)
    expect(proposeRate(rule, toFacts(300, 0.95))).toEqual({
      proposed_rate: 300,
      step: 2,
      limits: ['max_change'],
    })
    expect(propose(rule, 200, 0.3)).toBe(100)
    expect(propose(rule, 100, 0.3)).toBe(100)
  })

  it('Pittsburgh: moves one price of the menu up or down', () => {
    const rule = createParameters('pittsburgh', {
      menu: [50, 100, 150, 200, 225],
      bands: [{ key: 'day', from: 480, until: 1080, day_types: [] }],
    })
    expect(checkParameters(rule)).toEqual([])
    expect([0.5, 0.6, 0.85].map((occupancy) => propose(rule, 200, occupancy))).toEqual([150, 200, 225])
    expect(proposeRate(rule, toFacts(225, 0.9))).toEqual({
      proposed_rate: 225,
      step: 2,
      limits: ['menu_end'],
    })
    // A rate that is not on the menu moves to the next price.
    expect(propose(rule, 180, 0.9)).toBe(200)
  })

  it('Washington DC: uses the target and limits of the source with steps entered by the user', () => {
    const rule = createParameters('washington_dc', {
      steps: getPreset('washington_dc').fields.steps.map((step, i) => ({
        ...step,
        change: [-50, 0, 50][i]!,
      })),
    })
    expect(checkParameters(rule)).toEqual([])
    expect([0.84, 0.85, 0.9].map((occupancy) => propose(rule, 230, occupancy))).toEqual([180, 230, 280])
    expect(proposeRate(rule, toFacts(700, 1)).limits).toEqual(['ceiling'])
  })

  it.each(['los_angeles', 'washington_dc'] as const)(
    '%s: requires the user to enter the size of steps',
    (key) => {
      const fields = checkParameters(createParameters(key)).map(({ field }) => field)
      expect(fields).toEqual(expect.arrayContaining(['steps.0.change', 'steps.2.change']))
    },
  )
})

describe('refusals of proposals', () => {
  const rule = createParameters('san_francisco')
  it.each([
    ['no_rate', toFacts(null, 0.9)],
    ['mixed_rates', toFacts(null, 0.9, { refusal: 'mixed_rates' })],
    ['no_capacity', toFacts(200, 0.9, { capacity: 0 })],
    ['no_occupancy', toFacts(200, null)],
    ['too_few_days', toFacts(200, 0.9, { days: 9 })],
    ['low_coverage', toFacts(200, 0.9, { coverage: 0.49 })],
    ['interval', toFacts(200, 0.9, { lastChange: '2026-03-05' })],
  ] as const)('%s', (limit, refusedFacts) => {
    expect(proposeRate(rule, refusedFacts)).toMatchObject({ proposed_rate: null, limits: [limit] })
  })

  it('allows another change 28 days after the last one', () => {
    expect(proposeRate(rule, toFacts(200, 0.9, { lastChange: '2026-03-04' }))).toMatchObject({
      proposed_rate: 225,
    })
  })
})

describe('checks of parameters', () => {
  const listErrors = (choices: Partial<PricingParameters>) =>
    checkParameters(createParameters('san_francisco', choices)).map(
      ({ field, message }) => `${field}: ${message}`,
    )

  it('accepts the presets of San Francisco and Seattle', () => {
    expect(listErrors({})).toEqual([])
    expect(checkParameters(createParameters('sfpark'))).toEqual([])
    expect(checkParameters(createParameters('seattle'))).toEqual([])
  })
  it.each([
    [
      'crossing steps',
      {
        steps: [
          { from: 0, until: 0.7, change: -25 },
          { from: 0.6, until: null, change: 25 },
        ],
      },
      ['steps.1.from: The step overlaps the previous one, which ends at 70%.'],
    ],
    [
      'a gap between steps',
      {
        steps: [
          { from: 0, until: 0.6, change: -25 },
          { from: 0.8, until: null, change: 25 },
        ],
      },
      ['steps.1.from: There is a gap from 60% to 80%.'],
    ],
    [
      'steps that do not begin at 0',
      { steps: [{ from: 0.1, until: null, change: 25 }] },
      ['steps.0.from: There is a gap from 0% to 10%.'],
    ],
    [
      'steps that end',
      { steps: [{ from: 0, until: 1, change: 25 }] },
      ['steps.0.until: No step covers 100% and more.'],
    ],
    [
      'crossing time bands',
      {
        bands: [
          { key: 'a', from: 0, until: 720, day_types: [] },
          { key: 'b', from: 700, until: 900, day_types: [] },
        ],
      },
      ['bands.1.from: The band overlaps the band “a”.'],
    ],
    [
      'paid occupancy without a reason',
      { kinds: ['paid' as const] },
      [
        'paid_reason: Paid occupancy is below the true one. Calibrate it with counts, or state why rates are proposed from it.',
      ],
    ],
    ['a floor above the ceiling', { floor: 2000 }, ['ceiling: The highest rate is below the lowest one.']],
    [
      'an effective day within the window',
      { effective_date: '2026-03-01' },
      ['effective_date: The rates would take effect before the analysis window has ended.'],
    ],
  ])('%s', (_name, choices, errors) => {
    expect(listErrors(choices)).toEqual(errors)
  })
})

describe('compared with a plain search cent by cent', () => {
  const anyRate = fc.integer({ min: 0, max: 60 }).map((units) => units * 5)
  const nullable = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null })
  const anyThresholds = fc.uniqueArray(fc.integer({ min: 1, max: 150 }), { maxLength: 4 })
  const anyRule: fc.Arbitrary<RateRule> = fc
    .record({
      thresholds: anyThresholds,
      changes: fc.array(fc.integer({ min: -12, max: 12 }), { minLength: 5, maxLength: 5 }),
      isMenu: fc.boolean(),
      menu: fc.uniqueArray(anyRate, { minLength: 2, maxLength: 6 }),
      limits: fc.tuple(nullable(anyRate), nullable(anyRate)),
      amount: nullable(anyRate),
      share: nullable(fc.constantFrom(0, 0.1, 0.25, 0.333, 0.5, 1)),
      of: fc.constantFrom('current' as const, 'base' as const),
      base: nullable(anyRate),
      rounding: fc.constantFrom(1, 5, 10, 25),
    })
    .map(({ thresholds: percents, changes, isMenu, menu, limits, amount, share, of, base, rounding }) => {
      const bounds = percents.toSorted((a, b) => a - b).map((percent) => percent / 100)
      const [floor, ceiling] = limits
      const isReversed = floor !== null && ceiling !== null && floor > ceiling
      return {
        steps: [0, ...bounds].map((from, index) => ({
          from,
          until: bounds[index] ?? null,
          change: isMenu ? Math.trunc(changes[index]! / 4) : changes[index]! * 5,
        })),
        change_unit: isMenu ? ('menu' as const) : ('amount' as const),
        menu: isMenu ? menu.toSorted((a, b) => a - b) : [],
        floor: isReversed ? ceiling : floor,
        ceiling: isReversed ? floor : ceiling,
        max_change: { amount, share, of, base_rate: base },
        rounding,
        min_days_between: 28,
        min_days: 1,
        min_coverage: 0,
        effective_date: '2026-04-01',
      }
    })

  it('proposes the same rates', () => {
    fc.assert(
      fc.property(anyRule, anyRate, fc.integer({ min: 0, max: 160 }), (rule, rate, percent) => {
        expect(proposeRate(rule, toFacts(rate, percent / 100)).proposed_rate).toBe(
          plainProposal(rule, rate, percent / 100),
        )
      }),
      { numRuns: Number(process.env['PRICING_RUNS'] ?? 300) },
    )
  })
})
