import type {
  Issue,
  IssuePoints,
  IssuesByShape,
  IssuesByShapeAndDay,
  IssueType,
  IssueWithHistory,
} from '#contract/issues.ts'
import { notInShape } from '#contract/evaluation.ts'
import { harbour, mapResponses, mill } from '#web/map-page/test-map.ts'

const region = '/v2/regions/port-meridian'

/** For tests: an issue in the format of the API. */
export const testIssue = (some: Partial<IssueWithHistory> = {}): IssueWithHistory => ({
  id: 'SR-1',
  source: 'files',
  service_code: 'scooter',
  service_name: 'Scooter in the way',
  description: 'On the ramp.',
  status: 'closed',
  source_status: 'Resolved',
  requested_time: '2026-03-02T03:30:00.000Z',
  updated_time: null,
  closed_time: '2026-03-03T09:30:00.000Z',
  resolution_time: 30,
  address: '1 Main St',
  lat: 37,
  lon: -75,
  districts: { council_district: '6' },
  first_seen_time: '2026-03-04T00:00:00.000Z',
  history: [
    { time: '2026-03-02T03:30:00.000Z', status: 'open', source_status: 'Received' },
    { time: '2026-03-03T09:30:00.000Z', status: 'closed', source_status: 'Resolved' },
  ],
  ...some,
})

export const testTypes: IssueType[] = [
  { service_code: 'scooter', service_name: 'Scooter in the way', open: 1, closed: 2 },
  { service_code: 'pothole', service_name: '', open: 1, closed: 0 },
]

/** Four issues: three at one place, one without a place. */
export const testPoints: IssuePoints = {
  total: 4,
  placed: 3,
  types: testTypes,
  sources: ['files'],
  id: ['SR-1', 'SR/2', 'SR-3'],
  source: [0, 0, 0],
  type: [0, 1, 0],
  closed: [1, 0, 0],
  day: [20_513, 20_513, 20_512],
  lon: [-75, -75, -75.1],
  lat: [37, 37, 37.1],
  by_day: { day: [20_512, 20_513], total: [2, 2], placed: [1, 2] },
}

const figures = (count: number, open: number, hours: number | null) => ({
  count,
  open,
  closed: count - open,
  resolved: hours === null ? 0 : count - open,
  median_hours: hours,
  mean_hours: hours,
})
export const testByShape: IssuesByShape = {
  shape_data: { [harbour!]: figures(2, 1, 30), [mill!]: figures(1, 1, null), [notInShape]: figures(1, 0, 4) },
  total: figures(4, 2, 17),
  overlaps: false,
  method: { name: 'issues_by_shape', version: 1, buffer: 0 },
  milliseconds: 2,
}

/** The same for another period: more issues in Harbour, none in Mill. */
const testBefore: IssuesByShape = {
  ...testByShape,
  shape_data: { [harbour!]: figures(5, 1, 20), [mill!]: figures(0, 0, null), [notInShape]: figures(1, 0, 4) },
  total: figures(6, 1, 12),
}

/** The four issues of `testByShape` by day. */
export const testByDay: IssuesByShapeAndDay = {
  days: ['2026-02-28', '2026-03-01'],
  shape_uuids: [harbour!, mill!],
  values: [
    [0, 1],
    [2, 0],
  ],
  not_in_shape: [1, 0],
  total: [2, 2],
  method: { name: 'issues_by_shape', version: 1, buffer: 0 },
  milliseconds: 2,
}

type Responder = (request: { query: URLSearchParams; body: unknown }) => unknown

/** For tests: the server's replies about issues of a region. */
export function issueResponses(types: readonly IssueType[] = testTypes): Record<string, Responder> {
  const none = types.length === 0
  const items: Issue[] = none
    ? []
    : [
        testIssue(),
        testIssue({
          id: 'SR/2',
          status: 'open',
          closed_time: null,
          resolution_time: null,
          service_code: 'pothole',
          service_name: '',
        }),
      ]
  return {
    ...mapResponses(),
    [`GET ${region}/issues/types`]: () => ({
      items: types,
      first_day: none ? null : '2025-02-01',
      last_day: none ? null : '2026-03-31',
    }),
    [`GET ${region}/issues/points`]: () =>
      none
        ? {
            ...testPoints,
            total: 0,
            placed: 0,
            types: [],
            id: [],
            source: [],
            type: [],
            closed: [],
            day: [],
            by_day: { day: [], total: [], placed: [] },
            lon: [],
            lat: [],
          }
        : testPoints,
    [`GET ${region}/issues/by_shape`]: ({ query }) =>
      query.get('start_date')?.startsWith('2025') ? testBefore : testByShape,
    [`GET ${region}/issues/by_shape_and_day`]: () => testByDay,
    [`GET ${region}/issues`]: ({ query }) => ({
      items,
      total: none ? 0 : 124,
      page: Number(query.get('page')),
      size: 50,
    }),
    [`GET ${region}/issues/SR-1`]: () => testIssue(),
    [`GET ${region}/issues/SR%2F2`]: () => testIssue({ id: 'SR/2', service_name: 'Pothole' }),
  }
}
