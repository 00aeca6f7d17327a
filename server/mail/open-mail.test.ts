import net from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { openMail } from './open-mail.ts'
import { SentMessages } from './message.ts'

const at = new Date('2026-06-11T03:00:00Z')
const now = (): Date => at
const mailFrom = 'Publicway <publicway@streets.example>'

/** Starts a minimal SMTP server; refuses the first `refusals` sign-ins. */
function mailServer(refusals = 0) {
  const accepted: string[] = []
  const commands: string[] = []
  let remainingRefusals = refusals
  const server = net.createServer((socket) => {
    let data: string | null = null
    socket.on('error', () => undefined)
    socket.write('220 here\r\n')
    socket.on('data', (chunk) => {
      const text = chunk.toString()
      if (data !== null) {
        data += text
        if (!data.endsWith('\r\n.\r\n')) return
        accepted.push(data)
        data = null
        return void socket.write('250 taken\r\n')
      }
      for (const line of text.split('\r\n').filter(Boolean)) {
        commands.push(line)
        if (line.startsWith('EHLO')) socket.write('250-here\r\n250 AUTH PLAIN\r\n')
        else if (line.startsWith('AUTH'))
          socket.write(remainingRefusals-- > 0 ? `535 no, not with ${line}\r\n` : '235 in\r\n')
        else if (line === 'DATA') {
          data = ''
          socket.write('354 go\r\n')
        } else socket.write(line === 'QUIT' ? '221 bye\r\n' : '250 ok\r\n')
      }
    })
  })
  return {
    server,
    accepted,
    commands,
    listen: () =>
      new Promise<string>((resolve) =>
        server.listen(0, '127.0.0.1', () =>
          resolve(`smtp://clerk:s%40fe-word@127.0.0.1:${(server.address() as AddressInfo).port}`),
        ),
      ),
  }
}

let open: net.Server | null = null
afterEach(() => void open?.close())

describe('mail without a mail server', () => {
  it('is logged in full', async () => {
    const logged: unknown[] = []
    const outbox = new SentMessages()
    await openMail({
      config: { smtpUrl: null, mailFrom },
      log: (line, details) => logged.push([line, details]),
      sentMessages: outbox,
      now,
    }).send({ to: 'ann@alder.example', subject: 'A link', text: 'https://streets.example/x\n' })
    expect(logged).toEqual([
      ['mail', { to: 'ann@alder.example', subject: 'A link', text: 'https://streets.example/x\n' }],
    ])
    expect(outbox.list()).toEqual([
      { to: 'ann@alder.example', subject: 'A link', text: 'https://streets.example/x\n', at },
    ])
  })

  it('has one recipient and no line breaks in its headers', async () => {
    const logged: Record<string, unknown>[] = []
    const mail = openMail({
      config: { smtpUrl: null, mailFrom },
      log: (_line, details = {}) => logged.push(details),
      sentMessages: null,
      now,
    })
    for (const to of ['', 'ann', 'a@b, c@d', 'a@b\r\nBcc: c@d', 'Ann <a@b>', 'a@b c@d', 'a@b\u0000'])
      await expect(mail.send({ to, subject: 's', text: 't' })).rejects.toThrow('one plain address')
    await mail.send({ to: 'a@b.example', subject: 'Hello\r\nBcc: c@d.example\n\nbody', text: 't' })
    expect(logged).toEqual([{ to: 'a@b.example', subject: 'Hello Bcc: c@d.example body', text: 't' }])
  })
})

describe('mail with a mail server', () => {
  it('is sent with sender, recipient, subject, text, HTML and files, and is not logged', async () => {
    const { server, accepted, commands, listen } = mailServer()
    open = server
    const logged: unknown[] = []
    const mail = openMail({
      config: { smtpUrl: await listen(), mailFrom },
      log: (...line) => logged.push(line),
      sentMessages: null,
      now,
    })
    await mail.send({
      to: 'ann@alder.example',
      subject: 'Señal\r\nX-Evil: 1',
      text: 'plain text',
      html: '<p>rich</p>',
      attachments: [{ filename: 'invoice.csv', content: 'a,b\n', contentType: 'text/csv' }],
    })
    expect(commands).toEqual(
      expect.arrayContaining(['MAIL FROM:<publicway@streets.example>', 'RCPT TO:<ann@alder.example>']),
    )
    expect(commands.filter((line) => line.startsWith('RCPT'))).toHaveLength(1)
    expect(accepted[0]).toMatch(/^From: Publicway <publicway@streets\.example>\r$/m)
    expect(accepted[0]).toContain('plain text')
    expect(accepted[0]).toContain('<p>rich</p>')
    expect(accepted[0]).toMatch(/^Content-Disposition: attachment; filename=invoice\.csv\r$/m)
    expect(accepted[0]).not.toMatch(/^X-Evil/m)
    expect(logged).toEqual([])
  })

  it('is sent to several recipients and in copy, with the name and reply address of a city', async () => {
    const { server, accepted, commands, listen } = mailServer()
    open = server
    const mail = openMail({
      config: { smtpUrl: await listen(), mailFrom },
      log: () => undefined,
      sentMessages: null,
      now,
    })
    await mail.send({
      to: ['ann@lark.example', 'ben@lark.example'],
      cc: ['copy@lark.example'],
      replyTo: 'finance@alder.example',
      fromName: 'City of Alder\r\nBcc: c@d.example',
      subject: 'Invoice',
      text: 't',
    })
    expect(commands.filter((line) => line.startsWith('RCPT'))).toEqual([
      'RCPT TO:<ann@lark.example>',
      'RCPT TO:<ben@lark.example>',
      'RCPT TO:<copy@lark.example>',
    ])
    expect(accepted[0]).toMatch(/^From: "City of Alder Bcc: c@d\.example" <publicway@streets\.example>\r$/m)
    expect(accepted[0]).toMatch(/^Reply-To: finance@alder\.example\r$/m)
    expect(accepted[0]).toMatch(/^Cc: copy@lark\.example\r$/m)
    await expect(
      mail.send({ to: 'ann@lark.example', cc: ['a@b, c@d'], subject: 's', text: 't' }),
    ).rejects.toThrow('one plain address')
  })

  it('is retried once', async () => {
    const { server, accepted, listen } = mailServer(1)
    open = server
    await openMail({
      config: { smtpUrl: await listen(), mailFrom },
      log: () => undefined,
      sentMessages: null,
      now,
      delayMs: 1,
    }).send({ to: 'ann@alder.example', subject: 's', text: 't' })
    expect(accepted).toHaveLength(1)
  })

  it('reports the reason of a failure without password, link or recipient', async () => {
    const { server, accepted, listen } = mailServer(9)
    open = server
    const logged: string[] = []
    const mail = openMail({
      config: { smtpUrl: await listen(), mailFrom },
      log: (line, details) => logged.push(JSON.stringify([line, details])),
      sentMessages: null,
      now,
      delayMs: 1,
    })
    const failure = await mail
      .send({ to: 'ann@alder.example', subject: 'A link', text: 'https://streets.example/secret' })
      .catch((error: unknown) => String(error))
    expect(accepted).toEqual([])
    expect(logged).toEqual([
      expect.stringContaining('"mail failed",{"subject":"A link","error":"Invalid login'),
    ])
    const plainAuth = Buffer.from('\u0000clerk\u0000s@fe-word').toString('base64')
    for (const secret of ['s@fe-word', 's%40fe-word', 'clerk', plainAuth, 'ann@', '/secret'])
      expect(`${logged} ${failure}`).not.toContain(secret)
  })
})
