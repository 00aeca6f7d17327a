// Preloaded by a server of the tests: its clock is off by as many milliseconds as the file CLOCK_SHIFT_FILE says, from one moment to the next.
const fs = require('node:fs')

const lookMs = 50
const file = process.env['CLOCK_SHIFT_FILE']
const real = Date
let shift = 0

const look = () => (shift = Number(fs.readFileSync(file, 'utf8')))
look()
setInterval(look, lookMs).unref()

const now = () => real.now() + shift
globalThis.Date = new Proxy(real, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length ? args : [now()], newTarget),
  apply: () => new real(now()).toString(),
  get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
})
