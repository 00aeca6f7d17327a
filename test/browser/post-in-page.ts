import type { Page } from '@playwright/test'

/** Posts in the page, with its session. */
export const postInPage = (
  page: Page,
  path: string,
  body: object,
): Promise<{ status: number; body: Record<string, unknown> }> =>
  page.evaluate(
    async ([url, sent]) => {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: sent,
      })
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
    },
    [path, JSON.stringify(body)] as const,
  )
