import type { ApiError } from '#web/data/api-error.ts'

/** Returns the server's errors by the path of their field, such as `seller.email` or `tax_rates.0.code`. */
export const getSettingsIssues = (error: ApiError | null): ReadonlyMap<string, string> =>
  new Map((error?.problem?.issues ?? []).map(({ path, message }) => [path.replace(/^body\./, ''), message]))

/** Returns the codes with one of them set, or removed if it is empty. */
export const withCode = (
  codes: Readonly<Record<string, string>>,
  key: string,
  code: string,
): Record<string, string> => {
  const { [key]: _replaced, ...otherCodes } = codes
  return code === '' ? otherCodes : { ...otherCodes, [key]: code }
}

/** Returns an invoice number in a format: the 42nd of November of a year. `{seq:5}` has five digits. */
export const formatNumberExample = (format: string, regionId: string, year: number): string =>
  format
    .replace('{region}', regionId)
    .replace('{year}', String(year))
    .replace('{month}', '11')
    .replace(/\{seq(?::([1-9]))?\}/, (_, digits: string | undefined) =>
      '42'.padStart(Number(digits ?? 1), '0'),
    )
