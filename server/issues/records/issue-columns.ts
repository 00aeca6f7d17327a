import { plainName } from '#server/table-files/column-names.ts'

const list = (names: string): readonly string[] => names.trim().split(/\s+/)

/** Usual column names in 311 lists of cities, normalized, most specific first. If a file has several, the first one with a value counts. */
const names = {
  id: list(`servicerequestid servicerequestnumber servicerequestnum servicerequest servicerequestsrnumber caseid casenumber caseenquiryid srnumber srid srrecordid requestid requestnumber ticketid ticketnumber
    uniquekey incidentid incidentnumber issueid issuenumber referencenumber sourceid id`),
  serviceCode: list('servicecode srshortcode typecode issuetypecode categorycode'),
  serviceName:
    list(`servicename servicecodedescription servicerequesttype requesttype srtype srdescription complainttype casetype issuetype servicetype typename typedescription requestcategory casetitle type descriptor category
    subject reason`),
  description: list(
    'description requestdescription requestdetails details detail descriptor servicesubtype casetitle title summary comments comment resolutiondescription',
  ),
  status: list(
    'status casestatus srstatus requeststatus serviceorderstatus issuestatus currentstatus statusdescription',
  ),
  requested:
    list(`requesteddatetime requesteddate requestedat requestdate requestdatetime reporteddate reporteddatetime reportedat datereported createddate createddatetime createdat datecreated creationdate creationdatetime
    srcreatedate dateopened openeddate openeddatetime openedat opendate opendatetime opendt opened adddate submitteddate submittedat datesubmitted receiveddate datereceived serviceorderdate initiateddate entereddate created`),
  closed:
    list(`closeddate closeddatetime closedate closedt closeddt closedat dateclosed datetimeclosed closed caseclosedate caseclosed resolutiondate resolveddate resolveddatetime resolvedat dateresolved completiondate
    completeddate completedat datecompleted`),
  statusTime: list('statusdate statusdatetime statuschangedate laststatusdate sourcestatusat'),
  updated:
    list(`updateddatetime updateddate updatedat updated lastupdated lastupdate lastupdateddate lastupdateddatetime lastupdatedate datelastupdated lastmodified lastmodifieddate modifieddate datemodified modified
    requestmodified sourceupdatedat resolutionactionupdateddate editdate statusdate`),
  address: list(
    'address streetaddress fulladdress addressstring incidentaddress issueaddress locationaddress srlocation location incidentlocation street locationstreetname objectdesc',
  ),
  lat: list('latitude lat latitudecoordinate locationlatitude geolat y ycoordinate ycoord'),
  lon: list('longitude lon long lng longitudecoordinate locationlongitude geolon x xcoordinate xcoord'),
  point: list('point location location1 geolocation geocodedcolumn thegeom latlong coordinates wkt'),
} as const

export type IssueMeaning = keyof typeof names

/** Positions of columns by meaning, most specific first. */
export type IssueColumns = Record<IssueMeaning, readonly number[]> & {
  districts: readonly { name: string; place: number }[]
  /** Columns named x and y, which may hold degrees or plane coordinates. */
  plane: readonly number[]
}

/** Positions of all columns that are read. */
export const usedColumns = (columns: IssueColumns): number[] => {
  const meanings = Object.keys(names) as IssueMeaning[]
  const places = [
    ...meanings.flatMap((meaning) => columns[meaning]),
    ...columns.districts.map(({ place }) => place),
  ]
  return [...new Set(places)].sort((a, b) => a - b)
}

const district =
  /district|^ward$|^cd$|council|communit|neighbou?rhood|commission|borough|precinct|^zone(id|name)?$|^zip(code)?$|postal(code)?$|^quadrant$/
/** Council members and offices are not districts. */
const noDistrict = /shape|geom|email|phone|office|member|contact/

/** The meaning of columns; null if the header is not of a list of 311 requests. */
export function issueColumns(header: readonly string[]): IssueColumns | null {
  const places = new Map(header.map((name, place) => [plainName(name), place]))
  const columns = Object.fromEntries(
    Object.entries(names).map(([meaning, of]) => [
      meaning,
      of.map((name) => places.get(name)).filter((place) => place !== undefined),
    ]),
  ) as unknown as Record<IssueMeaning, number[]>
  const isList =
    columns.id.length > 0 &&
    columns.requested.length > 0 &&
    columns.serviceName.length + columns.serviceCode.length > 0 &&
    columns.status.length + columns.closed.length > 0
  if (!isList) return null
  const districts = header
    .flatMap((name, place) =>
      district.test(plainName(name)) && !noDistrict.test(plainName(name))
        ? [{ name: districtName(name), place }]
        : [],
    )
    .slice(0, 12)
  const plane = header.flatMap((name, place) =>
    /^(x|y)(coord(inate)?)?$/.test(plainName(name)) ? [place] : [],
  )
  return { ...columns, districts, plane }
}

/** `Council District`, `councilDistrict` and `COUNCILDISTRICT` as `council_district`. */
const districtName = (name: string): string =>
  name
    .trim()
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
    .replace(/^(council|area|community|police|planning|zip)(?=(district|commission|area|code)$)/, '$1_')
    .slice(0, 60)
