import { expect, type Page } from '@playwright/test'

/** Pushes to the Agency API as the operator of a token does. */
export async function pushAsOperator(
  page: Page,
  token: string,
  path: string,
  items: object[],
): Promise<void> {
  const answer = await page.request.post(`/mds/agency${path}`, {
    data: items,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/vnd.mds+json;version=2.0',
      accept: 'application/vnd.mds+json;version=2.0',
    },
  })
  expect(answer.status(), await answer.text()).toBe(201)
}
