/** Measures inside the page, with the page's own clock. */
export type Stopwatch = {
  /** Scrolls a row of the list into view by its index. */
  showRow(benchServer: number): Promise<void>
  /** Milliseconds from a click on `what` until the element that matches `drawn` is painted. */
  measureClick(what: string, drawn: string): Promise<number>
  /** Each message contains its sending time, as `[1700000000000]`: records how long each took to be painted. */
  watchMessages(within?: string): void
  delays: number[]
  /** Records long tasks from now on: during a long task the page cannot react. */
  watchTasks(): void
  tasks: number[]
  /** Scrolls the list evenly for a while, and returns the frame times. */
  scroll(pixelsPerFrame: number, ms: number): Promise<number[]>
  /** Scrolls down until this many rows are loaded. */
  load(rows: number): Promise<number>
}
declare global {
  var stopwatch: Stopwatch
}

/** Runs in the page before any other script. It must not use anything from outside this function. */
export function installStopwatch(): void {
  /** Resolves after the frame is painted: a task queued from a frame's callback runs after the painting. */
  const painted = () =>
    new Promise<void>((resolve) => {
      requestAnimationFrame(() => {
        const after = new MessageChannel()
        after.port1.onmessage = () => resolve()
        after.port2.postMessage(null)
      })
    })
  const isSeen = (selector: string) => {
    const element = document.querySelector(selector)
    const box = element?.getBoundingClientRect()
    const shown = element?.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    return Boolean(box && shown && box.height > 0 && box.bottom > 0 && box.top < innerHeight)
  }
  const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
  const scroller = (): Element => {
    let element = document.querySelector('li[data-ticket]')
    while (element && element.scrollHeight <= element.clientHeight + 1) element = element.parentElement
    if (!element) throw new Error('no list that scrolls')
    return element
  }

  /** The height of a row and its separator (design 7). */
  const rowHeight = 81

  globalThis.stopwatch = {
    delays: [],
    tasks: [],
    async showRow(benchServer) {
      scroller().scrollTop = Math.max(0, benchServer - 3) * rowHeight
      await painted()
      await painted()
    },
    async measureClick(what, drawn) {
      const element = document.querySelector<HTMLElement>(what)
      if (!element) throw new Error(`nothing to press: ${what}`)
      const started = performance.now()
      element.click()
      while (!isSeen(drawn)) {
        if (performance.now() - started > 20_000) throw new Error(`never drawn: ${drawn}`)
        await frame()
      }
      await painted()
      return performance.now() - started
    },
    watchMessages(within = '[data-thread]') {
      const thread = document.querySelector(within)
      if (!thread) throw new Error('no conversation is open')
      new MutationObserver((records) => {
        for (const node of records.flatMap((record) => [...record.addedNodes])) {
          const sent = /\[(\d{13})\]/.exec(node.textContent ?? '')?.[1]
          if (sent) void painted().then(() => globalThis.stopwatch.delays.push(Date.now() - Number(sent)))
        }
      }).observe(thread, { childList: true, subtree: true })
    },
    watchTasks() {
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) globalThis.stopwatch.tasks.push(duration)
      }).observe({ type: 'longtask' })
    },
    async scroll(pixelsPerFrame, ms) {
      const list = scroller()
      list.scrollTop = 0
      await painted()
      const frames: number[] = []
      const started = performance.now()
      for (let last = await frame(); last - started < ms; ) {
        list.scrollTop += pixelsPerFrame
        const next = await frame()
        frames.push(next - last)
        last = next
      }
      return frames
    },
    async load(rows) {
      const list = scroller()
      const started = performance.now()
      while (list.scrollHeight < rows * rowHeight && performance.now() - started < 120_000) {
        list.scrollTop = list.scrollHeight
        await frame()
      }
      list.scrollTop = 0
      await painted()
      return Math.floor(list.scrollHeight / rowHeight)
    },
  }
}
