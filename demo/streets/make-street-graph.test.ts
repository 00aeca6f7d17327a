import { describe, expect, it } from 'vitest'
import type { Point } from '../plane/point.ts'
import type { DrawnLine } from './drawn-line.ts'
import { knotLines } from './knot-lines.ts'
import { makeStreetGraph, type Sides } from './make-street-graph.ts'
import type { StreetGraph } from './street-graph.ts'

const line = (kind: DrawnLine['kind'], ...points: Point[]): DrawnLine => ({
  kind,
  key: JSON.stringify(points),
  name: kind,
  bridge: false,
  points,
})
const graphOf = (
  lines: DrawnLine[],
  reach = 9000,
  sidesOf: (edge: number) => Sides = () => ({ district: 'Any', isPark: false }),
): StreetGraph => makeStreetGraph(knotLines(lines), lines, { lon: -75, lat: 37 }, sidesOf, reach)
const kinds = ({ edges }: StreetGraph): string[] =>
  edges.map(({ class: kind, length }) => `${kind} ${Math.round(length)}`).toSorted()

const cross = [line('arterial', [-500, 0], [500, 0]), line('local', [100, -300], [100, 300])]

describe('makeStreetGraph', () => {
  it('cuts streets at junctions, with nodes where they meet and end', () => {
    const graph = graphOf(cross)
    expect(kinds(graph)).toEqual(['arterial 400', 'arterial 600', 'local 300', 'local 300'])
    expect(graph.nodeX.length).toBe(5)
    const middle = graph.nodeX.findIndex((x, i) => x === 100 && graph.nodeY[i] === 0)
    expect(graph.edges.every(({ from, to }) => from === middle || to === middle)).toBe(true)
    expect([graph.lon0, graph.lat0]).toEqual([-75, 37])
  })

  it('gives each edge its way, from node to node', () => {
    const [edge] = graphOf([line('local', [0, 0], [300, 0], [300, 400])]).edges
    expect([...edge!.path]).toEqual([0, 0, 300, 0, 300, 400])
    expect(edge!.length).toBe(700)
  })

  it('keeps the largest net that hangs together', () => {
    const apart = line('arterial', [-500, 900], [500, 900])
    expect(kinds(graphOf([...cross, apart]))).toEqual(kinds(graphOf(cross)))
  })

  it('leads over no freeway, and over no local street up to one', () => {
    const freeway = line('freeway', [-500, 200], [500, 200])
    expect(kinds(graphOf([...cross, freeway]))).toEqual(['arterial 400', 'arterial 600', 'local 300'])
    const collectors = cross.map((street) => ({ ...street, kind: 'collector' as const }))
    expect(kinds(graphOf([...collectors, freeway]))).toContain('collector 200')
  })

  it('is cut at shores and limits, but leads along none', () => {
    const shore = line('shore', [-200, -900], [-200, 900])
    const limit = line('limit', [-900, -100], [900, -100])
    expect(kinds(graphOf([...cross, shore, limit]))).toEqual([
      'arterial 300',
      'arterial 300',
      'arterial 400',
      'local 100',
      'local 200',
      'local 300',
    ])
  })

  it('takes the roads around parks for collectors', () => {
    expect(kinds(graphOf([line('park', [0, 0], [500, 0])]))).toEqual(['collector 500'])
  })

  it('reaches only so far from the middle', () => {
    expect(kinds(graphOf([...cross, line('local', [-400, -300], [-400, 300])], 450))).toEqual([
      'arterial 500',
      'local 300',
      'local 300',
    ])
  })

  it('asks what lies on both sides of the middle of each street', () => {
    const asked: number[] = []
    const graph = graphOf(cross, 9000, (edge) => {
      asked.push(edge)
      return { district: edge === 0 ? 'First' : undefined, isPark: edge === 0 }
    })
    expect(asked.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3])
    expect(graph.edges.filter(({ district, isPark }) => district === 'First' && isPark).length).toBe(1)
  })
})
