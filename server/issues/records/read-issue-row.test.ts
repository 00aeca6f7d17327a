import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { civilClock } from '#contract/civil-clock.ts'
import { recognizeIssueColumns } from './issue-columns.ts'
import { createIssueRowReader, readStatus } from './read-issue-row.ts'

const clock = civilClock('America/New_York')
function read(header: string, row: string, order: 'mdy' | 'dmy' = 'mdy') {
  const columns = recognizeIssueColumns(header.split('|'))
  if (!columns) throw new Error('none of a 311 list')
  return createIssueRowReader({ columns, clock, orderAt: () => order })(row.split('|'))
}
const parseTime = (text: string): number => Date.parse(text)

describe('the header of a list of 311 requests', () => {
  it.each([
    [
      'New York',
      'Unique Key|Created Date|Closed Date|Agency|Complaint Type|Descriptor|Incident Zip|Incident Address|Status|Due Date|Borough|Latitude|Longitude|Location',
      '601|07/01/2026 10:15:30 AM|07/02/2026 10:15:30 PM|DOT|E-Scooter|Blocking sidewalk|10001|1 MAIN ST|Closed|||40.7|-73.9|(40.7, -73.9)',
      {
        issueId: '601',
        serviceCode: 'e-scooter',
        serviceName: 'E-Scooter',
        description: 'Blocking sidewalk',
        status: 'closed',
        requested: parseTime('2026-07-01T14:15:30Z'),
        closed: parseTime('2026-07-03T02:15:30Z'),
        updated: null,
        address: '1 MAIN ST',
        lat: 40.7,
        lon: -73.9,
      },
    ],
    [
      'Chicago',
      'SR_NUMBER|SR_TYPE|SR_SHORT_CODE|STATUS|CREATED_DATE|LAST_MODIFIED_DATE|CLOSED_DATE|STREET_ADDRESS|WARD|COMMUNITY_AREA|LATITUDE|LONGITUDE',
      'SR26-1|E-Scooter Parking Complaint|SCT|Open|2026-07-01T10:00:00.000|2026-07-01T11:00:00.000||1 W STATE ST|42|8|41.88|-87.63',
      {
        issueId: 'SR26-1',
        serviceCode: 'SCT',
        serviceName: 'E-Scooter Parking Complaint',
        status: 'open',
        requested: parseTime('2026-07-01T14:00:00Z'),
        updated: parseTime('2026-07-01T15:00:00Z'),
        closed: null,
        districts: { ward: '42', community_area: '8' },
      },
    ],
    [
      'San Francisco',
      'CaseID|Opened|Closed|Updated|Status|Status Notes|Responsible Agency|Category|Request Type|Address|Supervisor District|Neighborhood|Point|Latitude|Longitude',
      '17|07/01/2026 12:00:00 AM|||Open|called|x|Scooters|Blocking|12 OAK ST|5|Hayes Valley|POINT (-122.42 37.77)||',
      {
        issueId: '17',
        serviceName: 'Blocking',
        status: 'open',
        lat: 37.77,
        lon: -122.42,
        address: '12 OAK ST',
        districts: { supervisor_district: '5', neighborhood: 'Hayes Valley' },
      },
    ],
    [
      'Boston',
      'case_enquiry_id|open_dt|closed_dt|case_status|case_title|subject|reason|type|location|ward|latitude|longitude',
      '101|2026-07-01 08:00:00|2026-07-01 09:00:00|Closed|Scooter on the road|Transportation|Signs|Abandoned scooter|9 Beacon St|3|42.35|-71.06',
      {
        issueId: '101',
        serviceName: 'Scooter on the road',
        status: 'closed',
        closed: parseTime('2026-07-01T13:00:00Z'),
        address: '9 Beacon St',
      },
    ],
    [
      'Washington',
      'OBJECTID|SERVICECODE|SERVICECODEDESCRIPTION|ADDDATE|RESOLUTIONDATE|SERVICEORDERSTATUS|SERVICEREQUESTID|STREETADDRESS|LATITUDE|LONGITUDE|WARD',
      '1|S0261|Scooter|2026/07/01 10:00:00+00|2026/07/01 12:00:00+00|Closed|26-001|1 K ST NW|38.9|-77|2',
      {
        issueId: '26-001',
        serviceCode: 'S0261',
        serviceName: 'Scooter',
        requested: parseTime('2026-07-01T10:00:00Z'),
        closed: parseTime('2026-07-01T12:00:00Z'),
      },
    ],
    [
      'Columbus',
      'CASE_ID|STATUS|REPORTED_DATE|STATUS_DATE|REQUEST_TYPE|STREET|CITY|ZIP|COLUMBUSCOMMUNITY|AREACOMMISSION|COUNCILDISTRICT|LATITUDE|LONGITUDE|REQUEST_MODIFIED',
      'CAS-1|Closed|1786044965000|1786107969000|Shared Electric Bike & Scooters|1 HIGH ST|Columbus|43215|Downtown||District 7|39.9|-83|1786107969000',
      {
        issueId: 'CAS-1',
        serviceCode: 'shared-electric-bike-scooters',
        status: 'closed',
        requested: 1786044965000,
        closed: 1786107969000,
        updated: 1786107969000,
        districts: { zip: '43215', columbuscommunity: 'Downtown', council_district: 'District 7' },
      },
    ],
    [
      'GeoReport v2',
      'service_request_id|status|status_notes|service_name|service_code|description|requested_datetime|updated_datetime|address|zipcode|lat|long|media_url',
      '638344|closed|Duplicate request.|Sidewalk and Curb Issues|006|Call 614-555-0100 or mail me@home.example|2010-04-14T06:37:38-08:00|2010-04-16T06:37:38-08:00|8TH AVE|94122|37.76|-122.42|https://x.example/p.jpg',
      {
        issueId: '638344',
        serviceCode: '006',
        status: 'closed',
        requested: parseTime('2010-04-14T14:37:38Z'),
        updated: parseTime('2010-04-16T14:37:38Z'),
        description: 'Call (not kept) or mail (not kept)',
        closed: null,
      },
    ],
  ])('%s', (_, header, row, expected) => expect(read(header, row)).toMatchObject(expected))

  it('differs from trips and boundaries', () => {
    for (const header of [
      'ride_id|rideable_type|started_at|ended_at|start_lat|start_lng',
      'name|id|area',
      'id|type|created_at',
      'STATION|NAME|DATE|PRCP',
    ])
      expect(recognizeIssueColumns(header.split('|'))).toBeNull()
  })
})

describe('a row', () => {
  const header = 'id|type|status|created_at|closed_at|updated_at|lat|lon|name|email|phone'
  it.each([
    ['||||||||||', 'empty_row'],
    ['|t|open|2026-01-01|||1|1|||', 'no_issue_id'],
    ['1|t|open||||1|1|||', 'no_requested_time'],
    ['1|t|open|yesterday|||1|1|||', 'bad_requested_time'],
    ['1|t|open|2026-02-30|||1|1|||', 'bad_requested_time'],
    ['1|t|open|2026-01-01|soon||1|1|||', 'bad_closed_time'],
    ['1|t|open|2026-01-01||soon|1|1|||', 'bad_updated_time'],
    ['1|t|open|1026-01-01|||1|1|||', 'time_outside'],
    ['1|t|open|2026-01-01|||north|1|||', 'bad_coordinate'],
    ['1|t|open|2026-01-01|||1016|1016|||', 'outside_earth'],
    ['1|t|open|2026-01-01|||40|-180.5|||', 'outside_earth'],
  ])('%s is set aside: %s', (row, reason) => expect(read(header, row)).toMatchObject({ reason }))

  it('stores nothing about the sender', () => {
    expect(
      JSON.stringify(read(header, '1|t|open|2026-01-01|||1|1|Ada Lovelace|ada@home.example|614 555 0100')),
    ).not.toMatch(/Ada|home|555/)
  })

  it('has no place without coordinates, with zeros, or with plane coordinates in columns x and y', () => {
    for (const place of ['|', '0|0'])
      expect(read(header, `1|t|open|2026-01-01|||${place}|||`)).toMatchObject({ lat: null, lon: null })
    expect(read('id|type|status|created_at|x|y', '1|t|open|2026-01-01|7000123.5|2300456')).toMatchObject({
      lat: null,
      lon: null,
    })
  })

  it('is closed if it has a closing time but no status', () => {
    expect(read(header, '1|t||2026-01-01|2026-01-02||||||')).toMatchObject({
      status: 'closed',
      closed: parseTime('2026-01-02T05:00:00Z'),
    })
    expect(read(header, '1|t||2026-01-01|||||||')).toMatchObject({ status: 'open', closed: null })
  })

  it('reads the day first where the file does', () => {
    expect(read(header, '1|t|open|03/04/2026|||||||', 'dmy')).toMatchObject({
      requested: parseTime('2026-04-03T04:00:00Z'),
    })
    expect(read(header, '1|t|open|03/04/2026|||||||')).toMatchObject({
      requested: parseTime('2026-03-04T05:00:00Z'),
    })
  })

  it('is read or rejected, whatever it holds', () => {
    const columns = recognizeIssueColumns(header.split('|'))
    if (!columns) throw new Error('no columns')
    const readRow = createIssueRowReader({ columns, clock, orderAt: () => 'mdy' })
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.string({ unit: 'binary' }),
            fc.constantFrom('2026-01-01', '1', 'closed', '-83', '\0', '\uD800'),
          ),
          { maxLength: 14 },
        ),
        (fields) => {
          const found = readRow(fields)
          expect(
            'reason' in found ||
              (found.issueId !== '' && Number.isFinite(found.requested) && !/\0/.test(JSON.stringify(found))),
          ).toBe(true)
        },
      ),
      { numRuns: 400 },
    )
  })
})

test.each([
  ['Closed', 'closed'],
  ['CLOSED', 'closed'],
  ['Completed', 'closed'],
  ['Resolved - no action taken', 'closed'],
  ['Canceled', 'closed'],
  ['Closed as duplicate', 'closed'],
  ['Cerrado', 'closed'],
  ['DUPLICATE (OPENED)', 'closed'],
  ['Received', 'open'],
  ['Open', 'open'],
  ['In Progress', 'open'],
  ['Re-opened', 'open'],
  ['Reopened after being closed', 'open'],
  ['Unresolved', 'open'],
  ['Not completed', 'open'],
  ['Incomplete', 'open'],
  ['Assigned', 'open'],
  ['', 'open'],
])('The status %j is %s', (text, status) => expect(readStatus(text)).toBe(status))
