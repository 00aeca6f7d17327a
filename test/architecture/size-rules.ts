import type { Rule } from './rule.ts'
import { isTest, getTopFolder, type SourceFile } from './source-file.ts'

const folders = ['contract', 'server', 'web', 'demo', 'test', 'bench', 'scripts']

const isCode = ({ path }: SourceFile): boolean =>
  folders.includes(getTopFolder(path)) && /\.[jt]sx?$/.test(path)

function listCodeFiles(files: SourceFile[]): { path: string; lines: number }[] {
  return files
    .filter(isCode)
    .map((file) => ({ path: file.path, lines: file.text.trimEnd().split('\n').length }))
    .sort((a, b) => a.lines - b.lines)
}

const listSourceFiles = (files: SourceFile[]) => listCodeFiles(files).filter(({ path }) => !isTest(path))

export const medianRule: Rule = {
  number: 'bars',
  text: 'the median source file has at most 120 lines',
  check(files) {
    const sorted = listSourceFiles(files)
    const median = sorted[Math.floor((sorted.length - 1) / 2)]
    return median && median.lines > 120
      ? [{ path: median.path, line: 1, text: `the median file has ${median.lines} lines` }]
      : []
  },
}

export const longFilesRule: Rule = {
  number: 'bars',
  text: '95 % of the source files have at most 300 lines',
  check(files) {
    const sorted = listSourceFiles(files)
    const long = sorted.filter(({ lines }) => lines > 300)
    return long.length > sorted.length * 0.05
      ? long.map(({ path, lines }) => ({ path, line: lines, text: `${lines} lines` }))
      : []
  },
}

export const shortFilesRule: Rule = {
  number: 'bars',
  text: 'at most 10 % of the source files have under 20 lines',
  check(files) {
    const sorted = listSourceFiles(files)
    const short = sorted.filter(({ lines }) => lines < 20)
    return short.length > sorted.length * 0.1
      ? short.map(({ path, lines }) => ({ path, line: 1, text: `${lines} lines` }))
      : []
  },
}

export const tooLongRule: Rule = {
  number: 'bars',
  text: 'no source file has more than 500 lines',
  check: (files) =>
    listSourceFiles(files)
      .filter(({ lines }) => lines > 500)
      .map(({ path, lines }) => ({ path, line: lines, text: `${lines} lines` })),
}

/** Number of lines without comments, because docstrings, which only sources have, are not tested. */
const countCode = ({ text }: SourceFile): number =>
  text.split('\n').filter((line) => !/^\s*(\/\/|\/?\*|$)/.test(line)).length

export const testLinesRule: Rule = {
  number: 'bars',
  text: 'lines of tests / lines of sources are at least 0.5, without comments and blank lines',
  check(files) {
    const count = (isCounted: (path: string) => boolean): number =>
      files
        .filter((file) => isCode(file) && isCounted(file.path))
        .reduce((sum, file) => sum + countCode(file), 0)
    const tests = count(isTest)
    const sources = count((path) => !isTest(path))
    if (sources === 0 || tests / sources >= 0.5) return []
    return [
      {
        path: 'test',
        line: 1,
        text: `${tests} test lines / ${sources} source lines = ${(tests / sources).toFixed(2)}`,
      },
    ]
  },
}

/** The limit of decision 059. Only a change that adds a feature raises it. */
const maxLines = 403_000

export const totalRule: Rule = {
  number: 'bars',
  text: `all code has at most ${maxLines} lines`,
  check(files) {
    const total = listCodeFiles(files).reduce((sum, { lines }) => sum + lines, 0)
    return total > maxLines ? [{ path: 'server', line: 1, text: `${total} lines` }] : []
  },
}
