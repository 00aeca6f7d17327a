import type { FastifyInstance } from 'fastify'
import { sendProblem } from './answer-errors.ts'
import { hasBody } from './json-body.ts'
import { problemBody } from './problem.ts'

/** Files travel as streams of their own pace; who sends them is known. */
const isFile = (contentType: string | undefined): boolean => contentType?.startsWith('application/octet-stream') === true

/** Who sends a body other than a file has so many seconds for it: bodies that drip would hold connections and memory for ever. */
export function limitSlowBodies(app: FastifyInstance, seconds: number): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (hasBody(request) && !isFile(request.headers['content-type'])) {
      const late = setTimeout(() => {
        if (request.raw.complete || reply.sent) return
        void sendProblem(reply.header('connection', 'close'), problemBody('request_timeout', `The body did not come within ${seconds} s.`))
      }, seconds * 1000).unref()
      request.raw.once('end', () => clearTimeout(late)).once('close', () => clearTimeout(late))
    }
    done()
  })
}
