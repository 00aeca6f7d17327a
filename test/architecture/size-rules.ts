import type { Rule } from './rule.ts';
import { isTest, roofOf, type SourceFile } from './source-file.ts';

const ROOFS = ['contract', 'server', 'web', 'demo', 'test', 'bench', 'scripts'];

function codeFiles(files: SourceFile[]): { path: string; lines: number }[] {
  return files
    .filter((file) => ROOFS.includes(roofOf(file.path)) && /\.[jt]sx?$/.test(file.path))
    .map((file) => ({ path: file.path, lines: file.text.trimEnd().split('\n').length }))
    .sort((a, b) => a.lines - b.lines);
}

export const medianRule: Rule = {
  number: 'bars',
  text: 'the median file has at most 80 lines',
  check(files) {
    const sorted = codeFiles(files);
    const median = sorted[Math.floor((sorted.length - 1) / 2)];
    return median && median.lines > 80 ? [{ path: median.path, line: 1, text: `the median file has ${median.lines} lines` }] : [];
  },
};

export const longFilesRule: Rule = {
  number: 'bars',
  text: '95 % of the files have less than 250 lines',
  check(files) {
    const sorted = codeFiles(files);
    const long = sorted.filter(({ lines }) => lines >= 250);
    return long.length > sorted.length * 0.05 ? long.map(({ path, lines }) => ({ path, line: lines, text: `${lines} lines` })) : [];
  },
};

export const tooLongRule: Rule = {
  number: 'bars',
  text: 'no file has more than 400 lines',
  check: (files) =>
    codeFiles(files)
      .filter(({ lines }) => lines > 400)
      .map(({ path, lines }) => ({ path, line: lines, text: `${lines} lines` })),
};

export const testLinesRule: Rule = {
  number: 'bars',
  text: 'test lines / source lines are at least 0.6',
  check(files) {
    const sum = (some: { lines: number }[]) => some.reduce((total, { lines }) => total + lines, 0);
    const all = codeFiles(files);
    const tests = sum(all.filter(({ path }) => isTest(path)));
    const sources = sum(all.filter(({ path }) => !isTest(path)));
    if (sources === 0 || tests / sources >= 0.6) return [];
    return [{ path: 'test', line: 1, text: `${tests} test lines / ${sources} source lines = ${(tests / sources).toFixed(2)}` }];
  },
};
