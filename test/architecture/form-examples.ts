import type { Example } from './example.ts'
import * as form from './form-rules.ts'
import { translatedRule } from './translated-rule.ts'
import {
  longFilesRule,
  medianRule,
  shortFilesRule,
  testLinesRule,
  tooLongRule,
  totalRule,
} from './size-rules.ts'

const lines = (count: number) => 'work();\n'.repeat(count)
const makeFiles = (count: number, each: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`server/jobs/f${i}.ts`, lines(each)]))

const makeRefusal = (detail: string) => `throw new Problem('conflict', ${detail}) // 'Not it.'`
const translations = { 'web/i18n/server-texts.spanish.json': '{ "There is no {0}.": "No existe {0}." }' }

export const formExamples: Example[] = [
  {
    rule: translatedRule,
    caught: [
      { 'server/jobs/run.ts': makeRefusal("'There is no job.'") },
      { 'server/jobs/run.ts': makeRefusal('`It is ${is ? `${a}` : "b"}.`'), ...translations },
      { 'contract/jobs.ts': "z.string().min(1, 'Please enter a name.')" },
    ],
    innocent: [
      { 'server/jobs/run.ts': makeRefusal('`There is no ${of({ a: "b" })}.`'), ...translations },
      { 'server/jobs/run.ts': "log('The job has ended.')" },
      { 'server/operations/check.ts': makeRefusal("'There is no disk.'") },
      { 'server/jobs/run.test.ts': makeRefusal("'There is no job.'") },
    ],
  },
  {
    rule: form.barrelsRule,
    caught: [
      { 'web/kit/index.ts': "export * from './button.tsx';\nexport { Menu } from './menu.tsx';\n// all" },
    ],
    innocent: [{ 'web/kit/menu.tsx': "export { Item } from './item.tsx';\nexport const Menu = 1;" }],
  },
  {
    rule: form.foldersRule,
    caught: [{ 'server/utils/text.ts': '' }, { 'web/kit/helpers/text.ts': '' }],
    innocent: [{ 'web/kit/text.ts': '' }],
  },
  {
    rule: form.layersRule,
    caught: [
      { 'web/kit/menu.module.css': '.head { position: sticky; z-index: 2; }' },
      { 'web/kit/menu.module.css': '@media (max-width: 600px) { .head { display: none; } }' },
    ],
    innocent: [
      { 'web/kit/menu.module.css': '@media (max-width: $phone) { .head { z-index: var(--layer-raised); } }' },
    ],
  },
  {
    rule: form.namesRule,
    caught: [
      { 'server/feeds/trips-v2.ts': '' },
      { 'web/kit/menu.old.tsx': '' },
      { 'web/kit/menu-2.test.tsx': '' },
    ],
    innocent: [{ 'server/feeds/trips.ts': '' }, { 'server/stores/migrations/postgres/001-schema.ts': '' }],
  },
  {
    rule: form.colorsRule,
    caught: [
      { 'web/map/fills.ts': "const fill = '#0a7f5c';" },
      { 'web/kit/a.css': 'a { color: #fff }' },
      { 'web/shell/a.tsx': "c('rgba(0, 0, 0, .2)')" },
    ],
    innocent: [
      { 'web/kit/theme.ts': "const brand = '#0a7f5c';" },
      { 'web/map/fills.ts': "import { face } from '#web/kit/theme.ts'; // #fff" },
      { 'server/operators/add.ts': "const colour = '#0a7f5c';" },
    ],
  },
  {
    rule: form.machineRule,
    caught: [
      { 'docs/start.md': 'cd /home/someone/publicway' },
      { 'package-lock.json': '"resolved": "https://registry.example.org/a.tgz"' },
      { '.npmrc': 'registry=https://registry.example.org/' },
    ],
    innocent: [{ 'docs/start.md': 'see https://city.example/work/plan and ~/work/plan' }],
  },
  {
    rule: form.spellingRule,
    caught: [
      { 'web/map/map.en.json': '{ "color": "Colour by" }' },
      { 'web/map/map.en.json': '{ "hint": "Metres by which each shape grows" }' },
    ],
    innocent: [
      { 'web/map/map.en.json': '{ "metres": "{{metres}} m", "towards": "Direction" }' },
      { 'web/map/map.es.json': '{ "color": "Colour by" }' },
    ],
  },
  {
    rule: medianRule,
    caught: [makeFiles(3, 121)],
    innocent: [{ ...makeFiles(3, 120), 'server/long.ts': lines(400) }],
  },
  {
    rule: longFilesRule,
    caught: [makeFiles(1, 301)],
    innocent: [{ ...makeFiles(30, 10), 'server/long.ts': lines(400) }],
  },
  {
    rule: shortFilesRule,
    caught: [makeFiles(1, 19)],
    innocent: [{ ...makeFiles(9, 20), 'server/short.ts': lines(19) }],
  },
  { rule: tooLongRule, caught: [makeFiles(1, 501)], innocent: [makeFiles(1, 500)] },
  {
    rule: totalRule,
    caught: [{ 'server/a.ts': lines(403_001) }],
    innocent: [{ 'server/a.ts': lines(1000) }],
  },
  {
    rule: testLinesRule,
    caught: [{ 'server/a.ts': lines(100), 'server/a.test.ts': lines(49) }],
    innocent: [
      { 'server/a.ts': lines(100), 'server/a.test.ts': lines(30), 'test/stories/b.test.ts': lines(20) },
    ],
  },
]
