import { answerWork } from '#server/jobs/start-worker.ts'
import { renderReport } from './report-document.ts'
import type { ReportContent } from './report-data.ts'

answerWork<ReportContent, Uint8Array>((content) => renderReport(content))
