import { RegulationDetail } from '#contract/curb-regulations.ts'
import { geographyResponses } from '#web/map-page/test-geography.ts'
import { signedIn } from '#web/shell/test-responses.ts'

export const regulationId = '11111111-ceea-467f-a0e6-7a1d2b3c4d5e'
const time = '2026-06-01T12:00:00.000Z'

/** For tests: returns a draft of a regulation with two zones. */
export const testRegulation = (overrides: Partial<RegulationDetail> = {}): RegulationDetail =>
  RegulationDetail.parse({
    id: 'p1',
    type: 'parking',
    vehicle_types: [],
    category: 'curb',
    shape_layer_id: null,
    user_class: [],
    start_date: null,
    end_date: null,
    status: 'saved',
    rules: [],
    schedules: [],
    regulation_id: regulationId,
    region_id: 'port-meridian',
    name: 'Paid parking',
    policy: {
      name: 'Paid parking',
      priority: 80,
      rules: [
        {
          activity: 'parking',
          max_stay: 2,
          max_stay_unit: 'hour',
          rate: [{ rate: 150, rate_unit: 'hour', start_duration: 0, end_duration: 2 }],
        },
      ],
      time_spans: [
        {
          days_of_week: ['mon', 'tue', 'wed', 'thu', 'fri'],
          time_of_day_start: '08:00',
          time_of_day_end: '18:00',
        },
      ],
    },
    published: false,
    published_policy_id: null,
    replaces: null,
    effective_time: null,
    zone_count: 2,
    length_m: 120,
    created_time: time,
    created_by_email: 'planner@portmeridian.example',
    modified_time: time,
    modified_by_email: 'planner@portmeridian.example',
    published_time: null,
    published_by_email: null,
    is_imported: false,
    curb_zone_ids: ['z1', 'z2'],
    ...overrides,
  })

const createZone = (id: string, street: string) => ({
  curb_zone_id: id,
  shape_uuid: regulationId,
  name: null,
  street_name: street,
  cross_street_start_name: 'Avenue 1',
  cross_street_end_name: 'Avenue 2',
  street_side: 'N',
  length_m: 60,
  num_spaces: 9,
  bbox: [-75.2, 37, -75.1, 37.1],
})
const zones = [createZone('z1', '1st Street'), createZone('z2', '2nd Street'), createZone('z3', '3rd Street')]

export const curbPath = '/v2/regions/port-meridian/curb'

/** For tests: returns responses of a server with three zones and these regulations. */
export const regulationsResponses = (regulations: readonly RegulationDetail[] = [testRegulation()]) => ({
  ...signedIn(),
  ...geographyResponses(),
  [`POST ${curbPath}/policies/filter`]: () => ({
    items: regulations,
    total: regulations.length,
    page: 1,
    size: 300,
  }),
  [`GET ${curbPath}/policies/${regulationId}`]: () => regulations[0],
  [`GET ${curbPath}/policies/${regulationId}/revisions`]: () => ({ items: [] }),
  [`POST ${curbPath}/policies/lint`]: () => ({
    findings: [],
    other_count: 0,
    precedences: [],
    is_complete: true,
  }),
  [`GET ${curbPath}/zone_choices`]: () => ({ items: zones, total: 3, page: 1, size: 100 }),
  [`POST ${curbPath}/zone_choices/find`]: () => ({ items: zones.slice(0, 2) }),
  [`GET ${curbPath}/zone_choices/within`]: () => ({ is_complete: true, items: [] }),
  [`GET ${curbPath}/settings`]: () => ({
    settings: { assumedVehicleLength: 610, designatedPeriods: {}, isPublic: false },
    version: 1,
  }),
})
