import { toPlainName } from '#server/table-files/column-names.ts'

const splitWords = (text: string): readonly string[] => text.trim().split(/\s+/)

/** Usual column names of cities, normalized, most specific first. The first one with a value counts. */
const columnNames = {
  id: splitWords(`servicerequestid servicerequestnumber servicerequestnum servicerequest servicerequestsrnumber caseid casenumber caseenquiryid srnumber srid srrecordid requestid requestnumber ticketid ticketnumber
    uniquekey incidentid incidentnumber issueid issuenumber referencenumber sourceid id`),
  serviceCode: splitWords('servicecode srshortcode typecode issuetypecode categorycode'),
  serviceName:
    splitWords(`servicename servicecodedescription servicerequesttype requesttype srtype srdescription complainttype casetype issuetype servicetype typename typedescription requestcategory casetitle type descriptor category
    subject reason`),
  description: splitWords(
    'description requestdescription requestdetails details detail descriptor servicesubtype casetitle title summary comments comment resolutiondescription',
  ),
  status: splitWords(
    'status casestatus srstatus requeststatus serviceorderstatus issuestatus currentstatus statusdescription',
  ),
  requested:
    splitWords(`requesteddatetime requesteddate requestedat requestdate requestdatetime reporteddate reporteddatetime reportedat datereported createddate createddatetime createdat datecreated creationdate creationdatetime
    srcreatedate dateopened openeddate openeddatetime openedat opendate opendatetime opendt opened adddate submitteddate submittedat datesubmitted receiveddate datereceived serviceorderdate initiateddate entereddate created`),
  closed:
    splitWords(`closeddate closeddatetime closedate closedt closeddt closedat dateclosed datetimeclosed closed caseclosedate caseclosed resolutiondate resolveddate resolveddatetime resolvedat dateresolved completiondate
    completeddate completedat datecompleted`),
  statusTime: splitWords('statusdate statusdatetime statuschangedate laststatusdate sourcestatusat'),
  updated:
    splitWords(`updateddatetime updateddate updatedat updated lastupdated lastupdate lastupdateddate lastupdateddatetime lastupdatedate datelastupdated lastmodified lastmodifieddate modifieddate datemodified modified
    requestmodified sourceupdatedat resolutionactionupdateddate editdate statusdate`),
  address: splitWords(
    'address streetaddress fulladdress addressstring incidentaddress issueaddress locationaddress srlocation location incidentlocation street locationstreetname objectdesc',
  ),
  lat: splitWords('latitude lat latitudecoordinate locationlatitude geolat y ycoordinate ycoord'),
  lon: splitWords('longitude lon long lng longitudecoordinate locationlongitude geolon x xcoordinate xcoord'),
  point: splitWords('point location location1 geolocation geocodedcolumn thegeom latlong coordinates wkt'),
} as const

export type IssueMeaning = keyof typeof columnNames

/** Indices of columns by meaning, most specific first. */
export type IssueColumns = Record<IssueMeaning, readonly number[]> & {
  districts: readonly { name: string; index: number }[]
  /** Columns named x and y, which contain degrees or plane coordinates. */
  plane: readonly number[]
}

/** Lists the indices of all columns that are read, ascending. */
export const listUsedColumns = (columns: IssueColumns): number[] => {
  const meanings = Object.keys(columnNames) as IssueMeaning[]
  const districtIndices = columns.districts.map(({ index }) => index)
  const indices = [...meanings.flatMap((meaning) => columns[meaning]), ...districtIndices]
  return [...new Set(indices)].sort((a, b) => a - b)
}

const districtPattern =
  /district|^ward$|^cd$|council|communit|neighbou?rhood|commission|borough|precinct|^zone(id|name)?$|^zip(code)?$|postal(code)?$|^quadrant$/
const maxDistrictColumns = 12
/** Excludes columns about council members and offices, which are not districts. */
const noDistrictPattern = /shape|geom|email|phone|office|member|contact/

/** Recognizes columns by their names; null if the header is not that of a list of 311 requests. */
export function recognizeIssueColumns(header: readonly string[]): IssueColumns | null {
  const indices = new Map(header.map((name, index) => [toPlainName(name), index]))
  const columns = Object.fromEntries(
    Object.entries(columnNames).map(([meaning, usualNames]) => [
      meaning,
      usualNames.map((name) => indices.get(name)).filter((index) => index !== undefined),
    ]),
  ) as unknown as Record<IssueMeaning, number[]>
  const isList =
    columns.id.length > 0 &&
    columns.requested.length > 0 &&
    columns.serviceName.length + columns.serviceCode.length > 0 &&
    columns.status.length + columns.closed.length > 0
  if (!isList) return null
  const districts = header
    .flatMap((name, index) =>
      districtPattern.test(toPlainName(name)) && !noDistrictPattern.test(toPlainName(name))
        ? [{ name: toDistrictName(name), index }]
        : [],
    )
    .slice(0, maxDistrictColumns)
  const plane = header.flatMap((name, index) =>
    /^(x|y)(coord(inate)?)?$/.test(toPlainName(name)) ? [index] : [],
  )
  return { ...columns, districts, plane }
}

/** Normalizes `Council District`, `councilDistrict` and `COUNCILDISTRICT` to `council_district`. */
const toDistrictName = (name: string): string =>
  name
    .trim()
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
    .replace(/^(council|area|community|police|planning|zip)(?=(district|commission|area|code)$)/, '$1_')
    .slice(0, 60)
