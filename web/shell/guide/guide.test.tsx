import { expect, it } from 'vitest'
import { guideTopics, loadGuide } from './guide.ts'

const images = Object.keys(import.meta.glob('../../../docs/guide/images/*'))

it.each(guideTopics.flatMap((topic) => [[topic, 'en-US'] as const, [topic, 'es'] as const]))(
  'the guide has a page about %s in %s, with a picture',
  async (topic, language) => {
    const html = await loadGuide(topic, language)
    expect(html).toMatch(/^<h1>/)
    const [, source = ''] = /<img src="([^"]+)"/.exec(html) ?? []
    expect(source).toContain(`${topic}.webp`)
    expect(images.some((path) => path.endsWith(`/${topic}.webp`))).toBe(true)
  },
)

it('the guide is translated', async () => {
  for (const topic of guideTopics)
    expect(await loadGuide(topic, 'es')).not.toBe(await loadGuide(topic, 'en-US'))
})
