/** As `1,204 events`. */
export const eventsText = (count: number): string =>
  `${count.toLocaleString('en')} ${count === 1 ? 'event' : 'events'}`;
