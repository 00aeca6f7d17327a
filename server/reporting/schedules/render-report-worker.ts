import { handleWork } from '#server/jobs/start-worker.ts'
import { renderReport } from './report-document.ts'
import type { ReportContent } from './report-data.ts'

handleWork<ReportContent, Uint8Array>((content) => renderReport(content))
