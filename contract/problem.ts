import { z } from 'zod'

/** The body of every error answer. `id` can be quoted to the people who run the server. */
export const ProblemBody = z
  .object({
    success: z.literal(false),
    code: z.string(),
    status: z.number().int(),
    title: z.string(),
    detail: z.string(),
    id: z.string(),
    /** Where in the ask the fault lies, when it is a validation error. */
    issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    /** Seconds after which to try again, as in the header Retry-After. */
    retry_after: z.number().int().optional(),
    /** Of a conflict: what is stored now, as the call itself would answer it. */
    current: z.unknown().optional(),
  })
  .meta({ id: 'Problem' })
export type ProblemBody = z.infer<typeof ProblemBody>
