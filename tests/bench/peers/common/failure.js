/// The server has done something wrong, or a measurement makes no sense.
export class Failure extends Error {}
