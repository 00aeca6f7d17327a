import fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { renderDevMail, serveDevMail } from './serve-dev-mail.ts'
import { SentMessages } from './message.ts'

const at = new Date('2026-06-11T03:00:00Z')

describe('the page of sent mail', () => {
  it('shows messages with links, or that there are none', () => {
    const page = renderDevMail([
      { to: 'a@b.c', subject: 'A link', text: 'Go to\nhttps://x.example/login?token=1&b=2\nnow', at },
      { to: '+1555', text: '123456', at },
    ])
    expect(page).toContain('<a href="https://x.example/login?token=1&amp;b=2">')
    expect(page).toContain('<h2>Text message</h2>')
    expect(page).toContain('2026-06-11T03:00:00.000Z')
    expect(renderDevMail([])).toContain('Nothing has been sent')
  })

  it('escapes all texts', () => {
    const evil = `"><script>alert(1)</script><img src=x onerror='alert(1)'>&lt;`
    const page = renderDevMail([
      {
        to: evil,
        subject: evil,
        text: `${evil} https://x.example/"onmouseover="alert(1) javascript:alert(1) https://x.example/'><b>`,
        at,
      },
    ])
    expect(page).not.toMatch(/<script|<img|<b>|href="javascript/i)
    expect(page.match(/<a href="[^"]*">/g)).toEqual([
      '<a href="https://x.example/">',
      '<a href="https://x.example/">',
    ])
    expect(page).toContain('&amp;lt;')
  })

  it('is served if sent messages are stored', async () => {
    const messages = new SentMessages(2)
    for (const text of ['first', 'second', 'third']) messages.add({ to: 'a@b.c', subject: text, text, at })
    const [served, withoutMessages] = [fastify(), fastify()]
    serveDevMail(served, messages)
    serveDevMail(withoutMessages, null)
    const response = await served.inject({ url: '/dev/mail' })
    expect([
      response.statusCode,
      response.headers['content-type'],
      response.headers['cache-control'],
    ]).toEqual([200, 'text/html; charset=utf-8', 'no-store'])
    expect(response.body.match(/<h2>(\w+)/g)).toEqual(['<h2>third', '<h2>second'])
    expect((await withoutMessages.inject({ url: '/dev/mail' })).statusCode).toBe(404)
  })
})
