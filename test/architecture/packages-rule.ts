import { packageOf } from './resolve-import.ts'
import { importRule } from './rule.ts'
import { isTest, roofOf } from './source-file.ts'

const drivers = /^(?:pg|pg-boss|kysely|chdb|@electric-sql\/pglite|@clickhouse\/client(?:-common)?)$/
const maps = /^(?:maplibre-gl|terra-draw(?:-.+)?|@vis\.gl\/.+|@deck\.gl\/.+|@luma\.gl\/.+|@loaders\.gl\/.+)$/
const charts = /^(?:echarts|zrender)$/
/** Charts of PDF files are drawn on the server. */
const pdfCharts = 'server/reporting/schedules/'

export const packagesRule = importRule(
  '5',
  'only server/stores imports database drivers (server/jobs its queue); in web only map imports MapLibre and deck.gl, only charts imports ECharts',
  (file, target, specifier, { typeOnly }) => {
    const roof = roofOf(file.path)
    if (target !== undefined || !['contract', 'server', 'web', 'demo'].includes(roof)) return undefined
    const name = packageOf(specifier)
    // The shape of a row of the state store is no way to the store itself.
    if (name === 'kysely' && typeOnly) return undefined
    if (drivers.test(name) && !mayDrive(file.path, name)) return `imports ${specifier}`
    if (maps.test(name) && !file.path.startsWith('web/map/')) return `imports ${specifier}`
    if (charts.test(name) && !file.path.startsWith('web/charts/') && !file.path.startsWith(pdfCharts))
      return `imports ${specifier}`
    return undefined
  },
)

function mayDrive(path: string, name: string): boolean {
  if (path.startsWith('server/stores/')) return true
  return name === 'pg-boss' ? path.startsWith('server/jobs/') : isTest(path) && path.startsWith('test/')
}
