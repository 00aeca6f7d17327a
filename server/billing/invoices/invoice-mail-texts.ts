import type { Language } from '#contract/identity.ts'

interface MailTexts {
  invoice: string
  credit_note: string
  from: (title: string, seller: string) => string
  period: (from: string, to: string) => string
  due: string
  attached: string
  tooLarge: string
  lines: (until: string) => string
}

export const invoiceMailTexts: Readonly<Record<Language, MailTexts>> = {
  'en-US': {
    invoice: 'Invoice',
    credit_note: 'Credit note',
    from: (title, seller) => `${title} from ${seller}`,
    period: (from, to) => `Service period: ${from} to ${to}`,
    due: 'Due',
    attached: 'The PDF is attached.',
    tooLarge: 'The PDF is too large for an e-mail; sign in to download it.',
    lines: (until) => `All lines as CSV (until ${until}):`,
  },
  es: {
    invoice: 'Factura',
    credit_note: 'Nota de crédito',
    from: (title, seller) => `${title} de ${seller}`,
    period: (from, to) => `Período de servicio: del ${from} al ${to}`,
    due: 'Vencimiento',
    attached: 'El PDF va adjunto.',
    tooLarge: 'El PDF es demasiado grande para un correo; inicie sesión para descargarlo.',
    lines: (until) => `Todas las líneas en CSV (hasta el ${until}):`,
  },
}
