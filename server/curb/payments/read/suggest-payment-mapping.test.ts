import { describe, expect, it } from 'vitest'
import type { CurbFile } from '../../imports/curb-format.ts'
import { surveyTable } from '../../imports/table/survey-table.ts'
import { suggestPaymentMapping } from './suggest-payment-mapping.ts'

const reading = {
  vendor: 'V',
  timezone: 'America/Los_Angeles',
  currency: 'USD',
  currencyDigits: 2,
  now: Date.UTC(2026, 0, 1),
}

async function suggest(header: string, rows: readonly string[]) {
  const file: CurbFile = {
    name: 'payments.csv',
    async *bytes() {
      yield await Promise.resolve(Buffer.from([header, ...rows].join('\n')))
    },
  }
  return suggestPaymentMapping(await surveyTable(file), reading)
}
const many = (count: number, row: (at: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => row(index))
const two = (number: number): string => String(number).padStart(2, '0')

describe('the columns of payment files', () => {
  it('San Francisco: added time extends the session of a post', async () => {
    const mapping = await suggest(
      'TRANSMISSION_DATETIME,POST_ID,STREET_BLOCK,PAYMENT_TYPE,SESSION_START_DT,SESSION_END_DT,METER_EVENT_TYPE,GROSS_PAID_AMT',
      many(
        40,
        (at) =>
          `2021060${1 + (at % 9)}_${at},601-0${at % 7},MISSION ST 100,${at % 2 ? 'CASH' : 'CREDIT CARD'},2021-06-0${1 + (at % 9)}T${two(9 + (at % 9))}:10:11,2021-06-0${1 + (at % 9)}T${two(10 + (at % 9))}:10:11,${at % 5 ? 'NS' : 'AT'},${1 + (at % 4)}.25`,
      ),
    )
    expect(mapping).toMatchObject({
      columns: {
        location: 'POST_ID',
        start_time: 'SESSION_START_DT',
        end_time: 'SESSION_END_DT',
        amount: 'GROSS_PAID_AMT',
        payment_type: 'PAYMENT_TYPE',
        event_type: 'METER_EVENT_TYPE',
      },
      amount_unit: 'major',
      repeated_rows: 'duplicate',
    })
    expect(mapping.words).toEqual([
      { column: 'event_type', value: 'AT', meaning: 'extension' },
      { column: 'event_type', value: 'NS', meaning: 'start' },
    ])
  })

  it('San Diego: amounts are in cents', async () => {
    const mapping = await suggest(
      'uuid,meter_type,pole_id,trans_amt,pay_method,date_trans_start,date_meter_expire',
      many(
        40,
        (at) =>
          `SDM-${at},SS,${at % 9}-1004,${25 + 25 * (at % 6)},${at % 2 ? 'CASH' : 'CREDIT CARD'},2019-01-0${1 + (at % 9)} 08:0${at % 10}:00,2019-01-0${1 + (at % 9)} 09:0${at % 10}:00`,
      ),
    )
    expect(mapping).toMatchObject({
      columns: {
        row_id: 'uuid',
        location: 'pole_id',
        amount: 'trans_amt',
        payment_type: 'pay_method',
        start_time: 'date_trans_start',
        end_time: 'date_meter_expire',
      },
      amount_unit: 'minor',
      place_kind: 'pole',
    })
  })

  it('Seattle: durations are in seconds', async () => {
    const mapping = await suggest(
      'TransactionId,MeterCode,TransactionDateTime,Amount,PaymentMean,PaidDuration,ElementKey',
      many(
        40,
        (at) =>
          `${9000 + at},1200${at % 9},0${1 + (at % 9)}/${two(13 + (at % 9))}/2016 0${1 + (at % 9)}:12:30 PM,${(at % 5) + 0.5},CREDIT CARD,${900 * (1 + (at % 6))},3301${at % 9}`,
      ),
    )
    expect(mapping).toMatchObject({
      columns: {
        row_id: 'TransactionId',
        location: 'MeterCode',
        paid_time: 'TransactionDateTime',
        duration: 'PaidDuration',
        amount: 'Amount',
      },
      duration_unit: 'second',
      date_order: 'mdy',
      clock: '24',
    })
  })

  it('distinguishes extensions with cumulative minutes from those with their own minutes', async () => {
    const header = 'id,zone,start,end,minutes,amount,plate'
    const stay = (at: number, second: number): string[] => [
      `${at}a,12,2024-05-01 1${at}:00:00,2024-05-01 1${at}:30:00,30,1,P${at}`,
      `${at}b,12,2024-05-01 1${at}:20:00,2024-05-01 1${at}:50:00,${second},1,P${at}`,
    ]
    const stays = (second: number): string[] =>
      many(8, (at) => String(at)).flatMap((at) => stay(Number(at), second))
    expect(await suggest(header, stays(50))).toMatchObject({ extensions: 'cumulative', place_kind: 'zone' })
    expect(await suggest(header, stays(20))).toMatchObject({ extensions: 'own' })
  })
})
