import { serveWorker } from '#server/jobs/start-worker.ts'
import { renderReport } from './report-document.ts'
import type { ReportContent } from './report-data.ts'

serveWorker<ReportContent, Uint8Array>((content) => renderReport(content))
