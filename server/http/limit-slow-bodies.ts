import type { FastifyInstance } from 'fastify'
import { sendProblem } from './answer-errors.ts'
import { problemBody } from './problem.ts'

/** Files travel as streams of their own pace; who sends them is known. */
const isFile = (contentType: string | undefined): boolean => contentType?.startsWith('application/octet-stream') === true

/** Who sends a body other than a file has so many seconds for it: bodies that drip would hold connections and memory for ever. */
export function limitSlowBodies(app: FastifyInstance, seconds: number): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { 'content-type': contentType, 'content-length': length, 'transfer-encoding': encoding } = request.headers
    if ((length !== undefined && length !== '0') || encoding !== undefined) {
      if (!isFile(contentType)) {
        const late = setTimeout(() => {
          if (request.raw.complete || reply.sent) return
          void sendProblem(reply.header('connection', 'close'), problemBody('request_timeout', `The body did not come within ${seconds} s.`))
        }, seconds * 1000).unref()
        request.raw.once('end', () => clearTimeout(late)).once('close', () => clearTimeout(late))
      }
    }
    done()
  })
}
